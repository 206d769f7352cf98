import { engineEnv, type Server, start } from '../http/servers'

/** A server that is killed and started again at the same address. */
export type Instance = { url: string; kill: () => Promise<void>; stop: () => Promise<void> }

/** `more`: further settings. */
export async function startInstance(
  databaseUrl: string,
  dataDir: string,
  more: Record<string, string> = {},
): Promise<Instance> {
  const { base, env } = await engineEnv(databaseUrl, dataDir)
  const run = () => start('npm', ['start', '--silent'], { ...env, ...more }, `${base}/api/health`)
  let server: Server = await run()
  return {
    url: base,
    kill: async () => {
      process.kill(-server.pid, 'SIGKILL')
      await server.stop() // which waits for its end
      await untilEnded(server.pid)
      server = await run()
    },
    stop: () => server.stop(),
  }
}

async function untilEnded(pid: number): Promise<void> {
  for (;;) {
    try {
      process.kill(-pid, 0)
    } catch {
      return
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** Kills one instance after the other, `times` in all, evenly while `share` (0 to 1) of the work grows; returns how many were killed. */
export async function killMeanwhile(
  instances: readonly Instance[],
  times: number,
  share: () => number,
): Promise<number> {
  let killed = 0
  while (killed < times && share() < 1) {
    if (share() >= (killed + 1) / (times + 1)) await instances[killed++ % instances.length]?.kill()
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return killed
}
