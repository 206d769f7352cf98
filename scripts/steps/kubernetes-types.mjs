import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetchPackage, wholeArchive } from './fetch-package.mjs'
import { bin, ROOT } from './run.mjs'

const CACHE = join(ROOT, 'node_modules/.cache/engine-kubernetes')
const MODELS = join(CACHE, 'models')
/** The client of the Kubernetes project, whose types are made from the API of version 1.33, and the hash of its archive. */
const CLIENT = {
  name: '@kubernetes/client-node@1.3.0',
  cache: CACHE,
  hash: 'c78c158f78e7c28bad3feee10af4c7178df33fe8461de48d634e3bfecaab5cdf',
  hashed: wholeArchive,
}

/** Whether the types are there; they are fetched once (2 MB). */
export async function hasKubernetesTypes() {
  if (!existsSync(MODELS))
    await fetchPackage(CLIENT, (folder) => renameSync(join(folder, 'package/dist'), MODELS))
  return existsSync(MODELS)
}

/**
 * What Kubernetes would refuse or ignore in `documents`: unknown names, values of another type, what is missing. They are checked as literals of
 * their types, so the compiler says it.
 *
 * @param {{ apiVersion: string, kind: string }[]} documents
 * @returns {string[]}
 */
export function kubernetesFaults(documents) {
  const folder = mkdtempSync(join(CACHE, 'documents-'))
  try {
    const file = join(folder, 'documents.ts')
    writeFileSync(file, documents.map(literal).join('\n'))
    const options = ['--noEmit', '--strict', '--skipLibCheck', '--ignoreConfig', '--types', '']
    const form = ['--target', 'es2022', '--module', 'nodenext', '--pretty', 'false']
    const compiler = [bin('typescript/bin/tsc'), ...options, ...form, file]
    const { stdout } = spawnSync(process.execPath, compiler, { encoding: 'utf8', cwd: folder })
    return stdout.split('\n').filter(Boolean)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function literal(document, at) {
  const version = document.apiVersion.split('/').at(-1) ?? ''
  const type = `${version[0]?.toUpperCase()}${version.slice(1)}${document.kind}`
  const from = `../models/gen/models/${type}.js`
  // The client has another name for the property that is a word of JavaScript.
  const value = JSON.stringify(document, null, 1).replaceAll('"from":', '"_from":')
  return `export const d${at}: import('${from}').${type} = ${value}`
}
