import { ConsoleSession } from './console-session'
import { ENTITY, formWith, send } from './item-clients'
import { archive } from './item-operations'
import { type Receiver, sound, startReceiver } from './receivers'

const ITEM = `/api/entities/${ENTITY}`
const WRITERS = 4
const READERS = 4
const BRANCHES = 20

/** What came of the work; `written` is what was acknowledged, by key. */
export type WorkDone = {
  requests: number
  faults: string[]
  faultCount: number
  signOuts: number
  written: Map<number, number>
  installs: number
}

/** Clients that read, write, page on, look at the console and install, one request after the other, until `stop`. */
export class SteadyWork {
  readonly done: WorkDone = {
    ...{ requests: 0, faults: [], faultCount: 0, signOuts: 0, installs: 0 },
    written: new Map(),
  }
  private isStopped = false
  private last = 0
  private running: Promise<void>[] = []

  private constructor(
    private readonly url: string,
    readonly receiver: Receiver,
  ) {}

  /** To be named in OUTGOING_ALLOWED_HOSTS before servers start. */
  static receiver = () => startReceiver(sound)

  /** Installs the entity, whose changes go to the receiver. */
  static async start(url: string, receiver: Receiver): Promise<SteadyWork> {
    const work = new SteadyWork(url, receiver)
    await work.install()
    const body = { name: 'steady', url: receiver.url, entities: [ENTITY] }
    await work.ask(201, { method: 'POST', path: '/api/webhooks', body })
    if (work.done.faultCount > 0) throw new Error(work.done.faults.join())
    const console = new ConsoleSession(url)
    await console.begin()
    work.repeat(WRITERS, () => work.write())
    work.repeat(READERS, () => work.read())
    work.repeat(1, work.walker())
    work.repeat(1, () => work.look(console), 100)
    return work
  }

  /** The plugin of the entity, or its next version. */
  async install(): Promise<void> {
    const form = formWith(await archive([], `1.0.${this.done.installs++}`), 'items.zip')
    await this.ask(200, { method: 'POST', path: '/api/plugins/install/zip', form })
  }

  /** When all that was sent is answered, and all events of it have come or 60 s have passed. */
  async stop(): Promise<void> {
    this.isStopped = true
    await Promise.all(this.running)
    for (const until = Date.now() + 60_000; Date.now() < until && this.lostEvents() > 0; )
      await new Promise((resolve) => setTimeout(resolve, 200))
    this.receiver.close()
  }

  lostEvents(): number {
    const got = new Set(this.receiver.got.map(({ n }) => n))
    return [...this.done.written.values()].filter((n) => !got.has(n)).length
  }

  private repeat(clients: number, one: () => Promise<void>, pauseMs = 5): void {
    const client = async () => {
      while (!this.isStopped) {
        await one().catch((error: Error) => this.fault(error.message))
        await new Promise((resolve) => setTimeout(resolve, pauseMs))
      }
    }
    this.running.push(...Array.from({ length: clients }, client))
  }

  /** A new record, and a change of it: each with a number of its own, by which events are known. */
  private async write(): Promise<void> {
    const id = ++this.last
    const record = { title: `title ${id}`, price: id / 4, branch: `b${id % BRANCHES}` }
    for (const [status, method, path] of [
      [201, 'POST', ITEM],
      [200, 'PATCH', `${ITEM}/${id}`],
    ] as const) {
      const count = 2 * id + (method === 'PATCH' ? 1 : 0)
      const body = method === 'POST' ? { ...record, id, count } : { count }
      const answer = await this.ask(status, { method, path, body })
      if (answer?.data?.[0]?.count === count) this.done.written.set(id, count)
    }
  }

  private async read(): Promise<void> {
    const branch = `b${this.last % BRANCHES}`
    const body = {
      query: [{ field: 'branch', operator: 'eq', value: branch }],
      sort: [{ field: 'count', direction: 'desc' }],
      pagination: { page: 0, size: 10 },
    }
    const found = await this.ask(200, { method: 'POST', path: `${ITEM}/search`, body })
    if (found?.data?.some((record) => record.branch !== branch))
      this.fault('a record of another branch')
  }

  /** Page by page, each by the cursor that came with the one before. */
  private walker(): () => Promise<void> {
    let next: string | undefined
    return async () => {
      const path = `${ITEM}?sort=id&size=20${next ? `&cursor=${next}` : ''}`
      next = (await this.ask(200, { method: 'GET', path }))?.next
    }
  }

  private async look(console: ConsoleSession): Promise<void> {
    this.done.requests += ConsoleSession.REQUESTS
    const fault = await console.look()
    if (fault === 'signed out') {
      this.done.signOuts++
      await console.begin()
    } else if (fault) this.fault(fault)
  }

  private async ask(expected: number, what: Parameters<typeof send>[1]) {
    this.done.requests++
    const answer = await send(this.url, what)
    if (answer.status === expected) return answer
    this.fault(`${what.method} ${what.path}: ${answer.status} ${answer.error}`)
    return null
  }

  private fault(text: string): void {
    if (this.done.faultCount++ < 10) this.done.faults.push(text)
  }
}
