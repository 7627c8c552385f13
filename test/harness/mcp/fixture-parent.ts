/**
 * Runs between a test and a server: starts it with this process's stdin and stdout, prints its process id on stderr and
 * stays until it is killed. The server's stdin then stays open, because the test has it open.
 */
import { spawn } from "node:child_process";

const [server = ""] = process.argv.slice(2);
const child = spawn(process.execPath, [server], { stdio: ["inherit", "inherit", "ignore"] });
process.stderr.write(`pid ${child.pid}\n`);
setInterval(() => undefined, 1000);
