import { sep } from "node:path";
export const inside = (file, root) => file === root || file.startsWith(root + sep); // want norealpath "compares the text of paths"
