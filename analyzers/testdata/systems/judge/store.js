import { readFile, writeFile } from "node:fs/promises"

const file = `${process.env.HOME}/.judge.json`
let verdicts = {}
let dirty = false
let timer

export async function load() {
  try {
    verdicts = JSON.parse(await readFile(file, "utf8"))
  } catch { // want pluginstate/corruptoverwrite "take defaults only when it is missing"
    verdicts = {}
  }
}

export function mark(id, verdict) {
  verdicts[id] = verdict
  dirty = true
  clearTimeout(timer)
  timer = setTimeout(flush, 500) // want pluginstate/flushwithoutdispose "no dispose hook"
}

async function flush() {
  if (!dirty) return
  dirty = false // want pluginstate/dirtyflag "before the awaited write"
  await writeFile(file, JSON.stringify(verdicts)) // want pluginstate/nonatomic "written in place"
}

export async function remember(id, what) {
  const all = JSON.parse(await readFile(file, "utf8"))
  all[id] = what
  await writeFile(file, JSON.stringify(all)) // want pluginstate/lostupdate "" // want pluginstate/nonatomic "written in place"
}
