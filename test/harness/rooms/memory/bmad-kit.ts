/** A project as the BMAD kit lays it out, with what people write into it. */
export const bmadKit = {
  "project-context.yaml":
    "project:\n  name: Demo Project\n  description: A shop on terraform\n  type: infra\n  stack:\n    - terraform\n    - proxmox\nsession_branch: feature/login\n",
  "_bmad/_config/custom/agent-base.md": "# base\n",
  "_bmad/_config/custom/agents/ops-engineer.md":
    "# Ops\n\nAGENT_TAG=forge | AGENT_NAME=Forge | LEARNINGS_FILE=infra-ops | DOMAIN=infra\n",
  "_bmad/_config/custom/agents/typescript-expert.md":
    "AGENT_TAG=pixel | AGENT_NAME=Pixel TS | LEARNINGS_FILE=frontend-ts.md\n",
  "_bmad/_config/custom/agents/frontend-specialist.md":
    "AGENT_TAG=pixel | AGENT_NAME=Pixel | LEARNINGS_FILE=frontend-ux\n",
  "_bmad/_config/custom/agents/custom-agent.tpl.md": "AGENT_TAG={{tag}}\n",
  "_bmad/_memory/shared-context.md":
    "# Shared\n\n## Projet\n- **Nom** : Demo\n- **Repo** : {{repo}}\n\n## Infrastructure\n- Proxmox 8, three nodes\n\n## Décisions\n- [2026-01-02] Use VLANs\n\n## Conventions\n- Tabs\n\n<!-- - hidden -->\n",
  "_bmad/_memory/decisions-log.md":
    "# Log\n\n## 2026-02-01\n- [ARCH] Use PostgreSQL 16\n\n- [2026-03-05] Rename the service\n",
  "_bmad/_memory/agent-learnings/ops-engineer.md":
    "# Learnings — ops\n\n- [2026-01-01] Ceph needs an odd number of monitors\n",
  "_bmad/_memory/agent-learnings/infra-ops.md":
    "\ufeff# Learnings\r\n- [2026-02-02] Reboot nodes one by one\r\n<<<<<<< HEAD\r\n- [2026-02-03] From a conflict\r\n=======\r\n>>>>>>> x\r\n",
  "_bmad/_memory/agent-learnings/frontend-ts.md": "- [2026-01-05] Strict mode finds errors\n",
  "_bmad/_memory/agent-learnings/frontend-ux.md": "- [2026-01-06] Buttons need labels\n",
};
