import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { withOwnBudget } from './budget'
import type { GuardedPool } from './guarded-pool'
import type { Bus, BusChannel } from './types'

type Listener = (payload: string) => void

/** A connection that broke is opened again after this; messages in between are lost. */
const RECONNECT_MS = 1_000
/** A hint that takes longer than this is not worth the wait. */
const PUBLISH_MS = 5_000

/** LISTEN and NOTIFY; one connection listens for all, and is opened by the first subscription. */
export class PostgresBus implements Bus {
  private readonly listeners = new Map<BusChannel, Set<Listener>>()
  private client: Promise<Client> | null = null
  private isClosed = false

  constructor(
    private readonly connect: () => Promise<Client>,
    private readonly pool: GuardedPool,
  ) {}

  async publish(channel: BusChannel, payload: string): Promise<void> {
    await withOwnBudget({ ms: PUBLISH_MS }, () =>
      this.pool.query('select pg_notify($1, $2)', [channel, payload]),
    )
  }

  async subscribe(channel: BusChannel, listener: Listener): Promise<() => void> {
    const known = this.listeners.get(channel)
    const all = known ?? new Set()
    this.listeners.set(channel, all.add(listener))
    try {
      const isNew = this.client === null
      const client = await this.open()
      // A new connection listens to all channels at once.
      if (!isNew && !known) await client.query(listen(channel))
    } catch (error) {
      all.delete(listener)
      throw error
    }
    return () => void all.delete(listener)
  }

  async close(): Promise<void> {
    this.isClosed = true
    const client = await this.client?.catch(() => null)
    await client?.end().catch(() => {})
  }

  private open(): Promise<Client> {
    this.client ??= this.listen().catch((error) => {
      this.client = null
      throw error
    })
    return this.client
  }

  private async listen(): Promise<Client> {
    const client = await this.connect()
    client.on('notification', ({ channel, payload = '' }) => {
      for (const listener of this.listeners.get(channel as BusChannel) ?? []) listener(payload)
    })
    client.once('end', () => void this.listenAgain())
    await client.query([...this.listeners.keys()].map(listen).join('; '))
    return client
  }

  private async listenAgain(): Promise<void> {
    this.client = null
    while (!this.isClosed && !this.client) {
      await delay(RECONNECT_MS, undefined, { ref: false })
      if (!this.isClosed) await this.open().catch(() => {})
    }
  }
}

const listen = (channel: BusChannel) => `listen "${channel}"`
