import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { bundleScript, QUICK_START } from '@/lib/testing/bundle-script'

const SCRIPT = fileURLToPath(new URL('./test-server.ts', import.meta.url))
let bundle: Promise<string> | undefined
const API_KEY = 'eng_a-key-of-the-test-server-and-nothing-else'

export type ImageServer = {
  process: ChildProcess
  address: string
  headers: Record<string, string>
  /** Kills it without a shutdown, and waits until it has ended. */
  kill(): Promise<void>
}

/** Starts `test-server.ts` on the embedded database in `dataDir`. */
export async function startImageServer(dataDir: string): Promise<ImageServer> {
  bundle ??= bundleScript(SCRIPT)
  const child = spawn(process.execPath, [...QUICK_START, await bundle], {
    // Without the environment of the tests themselves.
    env: {
      NODE_ENV: 'test',
      // Else glibc keeps freed memory for each thread that decodes; docs/images.md says so too.
      MALLOC_ARENA_MAX: '2',
      LOG_LEVEL: 'warn',
      DATA_DIR: dataDir,
      NEXTAUTH_SECRET: 'a secret for tests, 32 characters',
      ADMIN_EMAIL: 'admin@example.com',
      ADMIN_PASSWORD: 'correct horse battery staple',
      BOOTSTRAP_API_KEY: API_KEY,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await readPort(child)
  return {
    process: child,
    address: `http://127.0.0.1:${port}`,
    headers: { authorization: `Bearer ${API_KEY}` },
    kill: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return
      const removed = once(child, 'exit')
      child.kill('SIGKILL')
      await removed
    },
  }
}

async function readPort(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The test server has no output')
  for await (const line of createInterface({ input: child.stdout })) {
    const [, port] = /^port (\d+)$/.exec(line) ?? []
    if (port) {
      child.stdout.resume()
      return port
    }
  }
  throw new Error('The test server ended before it listened')
}

/** Uploads over HTTP; throws when the server ends. */
export async function uploadTo(
  { address, headers }: ImageServer,
  file: Uint8Array,
  assetId: string,
): Promise<{ status: number; body: { data: { fileId: string; uri: string }[] } }> {
  const form = new FormData()
  form.set('assetId', assetId)
  form.set('file', new Blob([file as BlobPart]), assetId)
  const response = await fetch(`${address}/api/images/upload`, {
    method: 'POST',
    headers,
    body: form,
  })
  return { status: response.status, body: await response.json() }
}

/** Peak memory of the process since `forgetPeakMemory`, in MiB. */
export async function peakMemory({ process: { pid } }: ImageServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** Resets the peak that Linux records. */
export const forgetPeakMemory = ({ process: { pid } }: ImageServer) =>
  writeFile(`/proc/${pid}/clear_refs`, '5')
