import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { gitText } from './git-text.mjs'
import { StepError } from './run.mjs'

const MAX_BYTES = 1024 ** 3

/**
 * Writes what a release consists of, from the commit at hand: the context of the image, the chart, a list of all packages that are shipped (CycloneDX),
 * and their hashes. The same commit makes the same bytes, with the same versions of git, npm and Node.
 * @param {string} root
 * @param {string} folder is made anew
 * @returns {string[]} the names of the files
 */
export function writeReleaseFiles(root, folder) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const name = `engine-${version}`
  /** @type {Record<string, Buffer>} */
  const files = {
    [`${name}-context.tar.gz`]: archive(root, `${name}/`),
    [`${name}-chart.tgz`]: archive(join(root, 'deploy/helm'), 'engine/'),
    [`${name}.cdx.json`]: packageList(root),
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
  const sums = Object.entries(files).map(([file, content]) => `${sha256(content)}  ${file}\n`)
  writeFileSync(join(folder, 'SHA256SUMS'), sums.join(''))
  return [...Object.keys(files), 'SHA256SUMS']
}

const sha256 = (content) => createHash('sha256').update(content).digest('hex')

/** What is committed of a folder, alone; times are those of the commit. */
function archive(folder, prefix) {
  const args = ['archive', '--format=tar', `--prefix=${prefix}`, 'HEAD']
  return gzipSync(output(folder, 'git', args), { level: 9 })
}

/** Without the number and the time that npm makes up for each, and by the name of the project instead of its folder. */
function packageList(root) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const args = ['sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx']
  const text = output(root, 'npm', args).toString()
  const former = JSON.parse(text).metadata.component['bom-ref']
  const own = `${name}@${version}`
  const list = JSON.parse(text, (_, value) => (value === former ? own : value))
  list.serialNumber = undefined
  list.metadata.timestamp = new Date(gitText(root, 'log', '-1', '--format=%cI')).toISOString()
  Object.assign(list.metadata.component, { name, purl: `pkg:npm/${own}` })
  return Buffer.from(`${JSON.stringify(list, null, 1)}\n`)
}

function output(root, command, args) {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: root, maxBuffer: MAX_BYTES })
  if (status !== 0) throw new StepError(`${command} ${args[0]}: ${stderr}`)
  return stdout
}
