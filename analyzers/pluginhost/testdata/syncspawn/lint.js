import { execSync } from "child_process";
export const lint = () => execSync("npm run lint"); // want syncspawn "execSync"
