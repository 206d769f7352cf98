import type { Actor } from '@/lib/auth/rights'
import { rightsDigest } from '@/lib/auth/rights-digest'
import type { Entity } from '@/lib/definitions/definition'
import { isSystemEntity } from '@/lib/definitions/names'
import type { Deps } from '@/lib/deps'
import { findEntity, listEntities } from '@/lib/registry/registry'

/** Identifies what `reader` may see of an entity and of all that its records refer to. Scopes are not part of it: the same user may fetch a file without the key. */
export async function rightsOf(deps: Deps, name: string, reader: Actor): Promise<string> {
  const holder = { ...reader, scopes: null }
  if (isSystemEntity(name)) return rightsDigest(holder, [name])
  const installed = await listEntities(deps)
  return rightsDigest(holder, [...referredFrom(await findEntity(deps, name), installed)])
}

/** The names of an entity and of those that it refers to, however far. */
function referredFrom(
  { name, properties }: Entity,
  installed: readonly Entity[],
  found = new Set<string>(),
): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  for (const { rules } of properties) {
    const referred = installed.find((entity) => entity.name === rules.reference?.entity)
    if (referred) referredFrom(referred, installed, found)
  }
  return found
}
