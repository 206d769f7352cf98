import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { isAbsolute } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { StepError } from '../steps/run.mjs'
import { freePort } from '../steps/throwaway-postgres.mjs'
import { idsOf } from './owner.mjs'

const START_MS = 120_000
const END_MS = 30_000

/**
 * Starts the command of an image with nothing of this shell's environment. Paths in settings are those of the image; its port is one that is
 * free here.
 * @param {import('./image.mjs').Image} image
 * @param {Record<string, string>} settings
 * @returns {Promise<{ url: string, healthy: () => Promise<void>, stop: () => Promise<void> }>}
 */
export async function startContainer(image, settings) {
  const port = String(await freePort())
  const { PATH = '' } = process.env
  const ofImage = Object.entries({ TMPDIR: '/tmp', ...image.env, ...settings, PORT: port })
  const paths = ofImage.map(([name, value]) => [name, isAbsolute(value) ? image.at(value) : value])
  const env = { PATH, ...Object.fromEntries(paths) }
  const start = ([command, ...args]) =>
    spawn(command === 'node' ? process.execPath : command, args, {
      cwd: image.at('.'),
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
      detached: true, // a group, which `npm start` and its server are
      ...idsOf(image.user),
    })
  const server = start(image.command)
  const end = () => signal(server, 'SIGKILL')
  process.once('exit', end)
  return {
    url: `http://127.0.0.1:${port}`,
    healthy: () => untilHealthy(server, () => start(image.health)),
    stop: async () => {
      process.removeListener('exit', end)
      await stop(server)
    },
  }
}

/** By the health check of the image, which ends with 0. */
async function untilHealthy(server, check) {
  for (const until = Date.now() + START_MS; Date.now() < until; ) {
    if (server.exitCode !== null) throw new StepError(`The server ended with ${server.exitCode}`)
    const [code] = await once(check(), 'exit')
    if (code === 0) return
    await delay(200)
  }
  throw new StepError('The health check did not succeed')
}

/** As containers are stopped: SIGTERM, upon which the server ends by itself, with 0. */
async function stop(server) {
  const exited = once(server, 'exit')
  signal(server, 'SIGTERM')
  const late = setTimeout(() => signal(server, 'SIGKILL'), END_MS)
  const [code] = await exited
  clearTimeout(late)
  if (code !== 0) throw new StepError(`On SIGTERM the server ended with ${code}`)
}

/** To the process and all that it has started. */
function signal({ pid }, name) {
  try {
    process.kill(-pid, name)
  } catch {
    // They have ended.
  }
}
