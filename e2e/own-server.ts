import { type ChildProcess, spawn } from 'node:child_process'
import { SERVER_ENV } from './server-settings'

/** A server of a spec's own, on an empty database. */
export async function startOwnServer(port: number, env: Record<string, string> = {}) {
  const url = `http://127.0.0.1:${port}`
  const child = spawn(process.execPath, ['e2e/start-fresh-server.mjs'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...SERVER_ENV,
      PORT: String(port),
      APP_URL: url,
      NEXTAUTH_URL: url,
      DATA_DIR: `.data/e2e-${port}`,
      ADMIN_EMAIL: '',
      ADMIN_PASSWORD: '',
      BOOTSTRAP_API_KEY: '',
      ...env,
    },
  })
  const output: string[] = []
  child.stdout?.on('data', (chunk) => output.push(String(chunk)))
  await untilUp(url, child)
  return { url, output, stop: () => stop(child), kill: () => stop(child, 'SIGKILL') }
}

async function untilUp(url: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null) {
    const response = await fetch(`${url}/api/health`).catch(() => null)
    if (response?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`The server ended with ${child.exitCode}`)
}

async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill(signal)
  await ended
}
