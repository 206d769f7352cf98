import { AUTHORIZATION, engineEnv, type Server, start } from '../http/servers'
import { type Balancer, startBalancer } from './balancer'
import type { Receiver } from './receivers'
import type { Line } from './report'
import type { SteadyWork } from './steady-work'

const READY_MS = 120_000

/** A version, by the folder that it was built in, and its settings. */
export type Kind = { folder: string; more?: Record<string, string> }
type Where = { databaseUrl: string; dataDir: string; receiver: Receiver }

/** Two servers behind a balancer, which are replaced as operators are told to. */
export class ReplacedServers {
  private readonly servers: Server[] = []
  /** From the moment at which a server is asked to end. */
  readonly endedMs: number[] = []

  private constructor(
    private readonly where: Where,
    private readonly balancer: Balancer,
  ) {}

  static async start(where: Where, kind: Kind): Promise<ReplacedServers> {
    const servers = new ReplacedServers(where, await startBalancer())
    await servers.add(kind)
    await servers.add(kind)
    return servers
  }

  get url(): string {
    return this.balancer.url
  }

  /** That only the former secret reads, as a server counts them. */
  async previousValues(): Promise<number> {
    const headers = { authorization: AUTHORIZATION }
    const response = await fetch(`${this.servers[0]?.url}/api/metrics`, { headers })
    return Number(/^engine_previous_secret_values (\d+)/m.exec(await response.text())?.[1])
  }

  /** One after the other: a new one is ready and in before an old one is out and ended; `between` is while both kinds serve. */
  async replace(kind: Kind, between: () => Promise<void> = async () => {}): Promise<void> {
    const count = this.servers.length
    for (let n = 0; n < count; n++) {
      await this.add(kind)
      await this.removeFirst()
      if (n === 0) await between()
    }
  }

  async stop(): Promise<void> {
    this.balancer.close()
    for (const server of this.servers) await server.stop()
  }

  private async add({ folder, more }: Kind): Promise<void> {
    const { databaseUrl, dataDir, receiver } = this.where
    const { base, env } = await engineEnv(databaseUrl, dataDir)
    const settings = {
      ...env,
      ...{ APP_URL: this.url, NEXTAUTH_URL: this.url, OUTGOING_ALLOWED_HOSTS: receiver.host },
      ...{ LOG_LEVEL: 'error', ...more },
    }
    const server = await start('npm', ['start', '--silent'], settings, `${base}/api/health`, folder)
    await untilReady(server.url)
    this.servers.push(server)
    this.balancer.put(server.url)
  }

  private async removeFirst(): Promise<void> {
    const server = this.servers.shift()
    if (!server) return
    this.balancer.take(server.url)
    const from = performance.now()
    await server.stop()
    this.endedMs.push(performance.now() - from)
  }
}

async function untilReady(url: string): Promise<void> {
  for (const until = Date.now() + READY_MS; ; ) {
    const { ok } = await fetch(`${url}/api/health/ready`)
    if (ok) return
    if (Date.now() > until) throw new Error(`${url} is not ready`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** What the work says of the replacements: nothing failed and nothing is lost. `records`: as the database has them, by key. */
export function judge(work: SteadyWork, records: Map<number, number>, title: string): Line[] {
  const { requests, faults, faultCount, signOuts, written, installs } = work.done
  const lost = [...written].filter(([id, count]) => records.get(id) !== count).length
  const events = work.lostEvents()
  return [
    {
      title: `requests ${title}`,
      result: `${requests}, ${installs} installs among them; ${faultCount} failed ${faults.join(' ')}`,
      isGood: requests > 0 && faultCount === 0,
    },
    { title: 'sign-outs of an open console', result: `${signOuts}`, isGood: signOuts === 0 },
    {
      title: 'acknowledged records',
      result: `${written.size}, ${lost} lost; ${events} of their events lost`,
      isGood: written.size > 0 && lost === 0 && events === 0,
    },
  ]
}
