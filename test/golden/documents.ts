/** What people have in their configuration before Forge comes. Each stands for one way in which an edit could go wrong. */

/** Files of JSON whose servers are listed under a key. */
export function jsonDocuments(key: string): Record<string, string | undefined> {
  return {
    fresh: undefined,
    empty: "",
    "empty object": "{}\n",
    "empty servers": `{\n  "${key}": {}\n}\n`,
    "other servers": `{\n  "${key}": {\n    "docs": {\n      "command": "docs-server",\n      "args": ["--port", "0"]\n    }\n  },\n  "theme": "dark"\n}\n`,
    comments: `// Settings of the team\n{\n  // servers\n  "${key}": {\n    "docs": { "command": "docs" } // keep this one\n    /* more to come */\n  } // end of servers\n}\n// bye\n`,
    tabs: `{\n\t"theme": "dark",\n\t"${key}": {\n\t\t"docs": {\n\t\t\t"command": "docs"\n\t\t}\n\t}\n}`,
    "odd indentation": `{\n      "a": 1,\n  "${key}":\n  {\n          "docs": { "command": "docs" }\n  }}\n`,
    "CRLF and byte order mark": `\uFEFF{\r\n    "${key}": {\r\n        "docs": { "command": "docs" }\r\n    }\r\n}\r\n`,
    "trailing commas": `{\n  "${key}": {\n    "docs": { "command": "docs", }, // last\n  },\n}\n`,
    unicode: `{\n  "名前": "日本 🎉 \\u00e9",\n  "${key}": { "ünï": { "command": "x" } }\n}\n`,
    minified: `{"a":[1,2,{"b":null}],"${key}":{"docs":{"command":"docs"}}}`,
    "minified without servers": '{"a":1}',
    "one line": `{ "${key}": { "docs": { "command": "docs" } } }\n`,
    "looks like code in strings": `{\n  "note": "} // \\" /* {",\n  "${key}": {\n    "a}b": { "command": "{" }\n  }\n}\n`,
  };
}

export const tomlDocuments: Record<string, string | undefined> = {
  fresh: undefined,
  empty: "",
  "other servers": 'model = "o4"\n\n[mcp_servers.docs]\ncommand = "docs"\nargs = ["--port", "0"]\n',
  comments: "# my settings\nmodel = 'x' # the good one\n\n[tui]\n# quiet\nnotifications = false\n# the end\n",
  "CRLF and byte order mark": '\uFEFFmodel = "x"\r\n\r\n[a]\r\nb = 1\r\n',
  "no final line end": "[a]\nb = 1",
  "a header inside a string": 'text = """\n[mcp_servers.forge]\n"""\nlist = [\n  "]", # ]\n]\n',
  unicode: '"名前" = "日本 🎉"\n[projects."/home/ada/läden"]\ntrust_level = "trusted"\n',
  "quoted and spaced headers": '[ mcp_servers . "docs" ]\ncommand = "docs"\n[[rules]]\nx = { y = [1, 2] }\n',
};
