import type { Actor } from '@/lib/auth/rights'
import type { Deps } from '@/lib/deps'
import { mayRead } from '@/lib/registry/may-read'
import { listEntities } from '@/lib/registry/registry'
import type { ReferringField } from './column-contract'

/** The fields that refer to the entity `name`, by entity and in their order there; without those of entities that `actor` may not read. */
export async function listReferringFields(
  deps: Deps,
  name: string,
  actor: Actor,
): Promise<ReferringField[]> {
  const readable = (await listEntities(deps)).filter((entity) => mayRead(actor, entity))
  return readable
    .flatMap(({ name: entity, properties }) =>
      properties.flatMap(({ name: field, label = null, rules: { reference } }) =>
        reference?.entity === name ? [{ entity, field, label, reference }] : [],
      ),
    )
    .sort((a, b) => (a.entity < b.entity ? -1 : a.entity > b.entity ? 1 : 0))
}
