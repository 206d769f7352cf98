import type { Deps } from '@/lib/deps'
import { describe } from '@/lib/promotion/describe'
import { remoteClient } from './clients/remote-client'
import type { ServerTest } from './contract'
import { addressOf, findServer } from './store'

const TIMEOUT_MS = 15_000
const MAX_ENTITIES = 1_000

/** Asks another server who it is, with its key. Throws `not_found`, and `upstream_failed` or `upstream_timeout` with the reason. */
export async function testServer(deps: Deps, id: string): Promise<ServerTest> {
  const address = addressOf(deps, await findServer(deps.db, id))
  const client = remoteClient(deps, address, AbortSignal.timeout(TIMEOUT_MS), TIMEOUT_MS)
  const { data } = await client.json('/api/entities')
  const entities = Array.isArray(data) ? data.map((one) => String(one?.name)) : []
  const about = await describe(client)
  return {
    version: about?.version ?? null,
    address: about?.address ?? null,
    entities: entities.slice(0, MAX_ENTITIES),
  }
}
