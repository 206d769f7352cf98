import { access, constants, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { BackupStore } from './store'

/** A folder that is there already: one that is made in its place would be on another disk. */
export function folderStore(dir: string): BackupStore {
  const at = (name: string) => join(dir, name)
  return {
    title: dir,
    names: () => readdir(dir),
    add: async (name, write) => {
      await write(at(name))
      return (await stat(at(name))).size
    },
    read: (name, work) => work(at(name)),
    readText: (name) => readFile(at(name), 'utf8').catch(() => ''),
    writeText: (name, text) => writeFile(at(name), text),
    remove: (name) => rm(at(name), { force: true }),
    problem: () =>
      access(dir, constants.W_OK | constants.X_OK).then(
        () => null,
        (error) => error.code as string,
      ),
  }
}
