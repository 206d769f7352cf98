import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
} from 'node:fs'
import { basename, isAbsolute, join, relative } from 'node:path'
import { StepError } from '../steps/run.mjs'
import { parseCommand, parseDockerfile } from './dockerfile.mjs'
import { ignoredBy } from './ignored.mjs'
import { own, withNumbers } from './owner.mjs'

/**
 * What a stage has made, in a folder that stands for its file system.
 * @typedef {object} Image
 * @property {string} root
 * @property {(path: string) => string} at Where a path of the image is on this machine.
 * @property {Record<string, string>} env
 * @property {string} user
 * @property {string[]} command
 * @property {string[]} health
 * @property {number} bytes Of the files that its instructions copied, each time.
 */

/**
 * Carries out the instructions of `Dockerfile` in a folder, and returns the last stage. This Node stands for its base. What is written
 * in no image of ours is refused by name.
 * @param {string} context
 * @param {string} folder
 * @returns {Image}
 */
export function carryOut(context, folder) {
  const made = new Map()
  for (const [n, { name, instructions }] of stagesOf(context).entries()) {
    const stage = newStage(context, join(folder, `stage-${n}`), made)
    for (const one of instructions) carry(stage, one)
    made.set(name ?? String(n), stage)
  }
  const last = [...made.values()].at(-1)
  // As where the root file system is only read. Its owner could still change that, but nothing of ours does.
  const { status } = spawnSync('chmod', ['-R', 'a-w', last.at(last.workdir)])
  if (status !== 0) throw new StepError('chmod failed')
  return last
}

/** The last stage with a checkout that is built in place of what it copies: its settings, command and health check are its own. */
export function standInFor(checkout, folder) {
  const stage = newStage(checkout, folder, new Map())
  const { instructions } = stagesOf(checkout).at(-1) ?? { instructions: [] }
  for (const one of instructions) if (!MAKES_FILES.includes(one.name)) carry(stage, one)
  const { at, workdir } = stage
  stage.at = (path) => (at(path) === at(workdir) ? checkout : at(path))
  return stage
}

const MAKES_FILES = ['COPY', 'RUN', 'USER']
const stagesOf = (context) => parseDockerfile(read(context, 'Dockerfile'))
const read = (context, file) => readFileSync(join(context, file), 'utf8')

function newStage(context, root, made) {
  mkdirSync(join(root, 'tmp'), { recursive: true })
  chmodSync(join(root, 'tmp'), 0o777)
  const stage = {
    root,
    context,
    made,
    workdir: '/',
    user: 'root',
    env: {},
    command: [],
    health: [],
    bytes: 0,
  }
  stage.at = (path) => join(root, isAbsolute(path) ? path : join(stage.workdir, path))
  return stage
}

function carry(stage, instruction) {
  const work = WORK[instruction.name]
  if (!work)
    throw new StepError(
      `${instruction.name} is not among the instructions that are carried out here`,
    )
  work(stage, instruction)
}

const WORK = {
  WORKDIR: (stage, { rest }) => {
    stage.workdir = rest
    mkdirSync(stage.at(rest), { recursive: true })
  },
  ENV: (stage, { rest }) => {
    for (const part of rest.split(/\s+/)) {
      const [, name, value] = /^(\w+)=([^"'$\s]*)$/.exec(part) ?? []
      if (!name) throw new StepError(`ENV ${part}: only NAME=value is understood`)
      stage.env[name] = value
    }
  },
  COPY: copy,
  RUN: runShell,
  USER: (stage, { rest }) => {
    if (rest !== 'node') throw new StepError(`USER ${rest}: the base image has node`)
    stage.user = rest
  },
  VOLUME: (stage, { rest }) => mkdirSync(stage.at(rest), { recursive: true }),
  EXPOSE: (stage, { rest }) => {
    if (rest !== stage.env.PORT) throw new StepError(`EXPOSE ${rest}, and PORT=${stage.env.PORT}`)
  },
  HEALTHCHECK: (stage, { rest }) => {
    stage.health = parseCommand({ name: 'HEALTHCHECK', rest: rest.replace(/^CMD\s+/, '') })
  },
  CMD: (stage, instruction) => {
    stage.command = parseCommand(instruction)
  },
}

function copy(stage, { options, rest }) {
  const parts = rest.split(/\s+/)
  const to = parts.pop() ?? ''
  const source = options.from ? stage.made.get(options.from) : null
  if (options.from && !source)
    throw new StepError(`COPY --from=${options.from}: there is no such stage`)
  const isLeftOut = source ? () => false : ignoredBy(read(stage.context, '.dockerignore'))
  for (const part of parts) {
    const from = source ? source.at(part) : join(stage.context, part)
    const isFolder = statSync(from).isDirectory()
    const target = stage.at(!isFolder && to.endsWith('/') ? join(to, basename(part)) : to)
    const filter = (path) => !isLeftOut(relative(stage.context, path))
    cpSync(from, target, { recursive: true, verbatimSymlinks: true, filter })
    stage.bytes += bytesOf(from)
    if (options.chown) own(target)
  }
}

/** A layer has all that it copies, also what is in one below. */
function bytesOf(path) {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.size
  return readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
}

/** Absolute paths are those of the image; `chown` knows its user. */
function runShell(stage, { rest }) {
  const text = withNumbers(rest.replace(/(?<=\s)\/(?=[a-z])/g, `${stage.root}/`))
  const { PATH = '', HOME = stage.root, npm_config_cache = '' } = process.env
  const env = { PATH, HOME, ...(npm_config_cache && { npm_config_cache }), ...stage.env }
  const options = { cwd: stage.at('.'), env, stdio: ['ignore', 'ignore', 'inherit'] }
  const { status } = spawnSync('sh', ['-c', text], /** @type {object} */ (options))
  if (status !== 0) throw new StepError(`RUN ${rest} ended with ${status}`)
}
