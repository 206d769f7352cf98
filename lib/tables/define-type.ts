import { isDeepStrictEqual } from 'node:util'
import { eq } from 'drizzle-orm'
import { entityTypes } from '@/lib/db/schema'
import { type Db, lower } from '@/lib/db/sql'
import type { TypeDefinition } from '@/lib/definitions/definition'
import { DefinitionError } from '@/lib/definitions/definition-faults'
import { typeKey } from '@/lib/definitions/property-types'
import { resolveType, typesByName } from '@/lib/definitions/resolve-type'
import { typeFaults } from '@/lib/definitions/type-faults'
import { ownerNotes, requireSameName } from '@/lib/registry/definition-owner'
import { loadTypes } from '@/lib/registry/registry-rows'
import {
  type DefineOutcome,
  definitionTransaction,
  takeUnowned,
  toStored,
} from './definition-transaction'

/**
 * Installs or changes a property type. Schemas copy a type's rules when they are installed, so
 * existing ones change with their own next installation. Throws `DefinitionError`.
 */
export const defineType = (
  db: Db,
  type: TypeDefinition,
  pluginId: string,
): Promise<DefineOutcome> =>
  definitionTransaction(db, async (tx) => {
    const [existing] = await tx
      .select()
      .from(entityTypes)
      .where(eq(lower(entityTypes.name), type.name.toLowerCase()))
    requireSameName('type', existing?.name, type.name)
    const notes = ownerNotes(existing, pluginId)
    const definition = toStored(type)
    if (existing && isDeepStrictEqual(existing.definition, definition))
      return takeUnowned(tx, entityTypes, existing, pluginId)
    await requireSound(tx, definition)
    if (existing) {
      const values = { definition, pluginId }
      await tx.update(entityTypes).set(values).where(eq(entityTypes.name, type.name))
    } else {
      await tx.insert(entityTypes).values({ name: type.name, definition, pluginId })
    }
    return { status: existing ? 'updated' : 'created', steps: [], notes }
  })

async function requireSound(tx: Db, type: TypeDefinition): Promise<void> {
  const others = typesByName(await loadTypes(tx))
  const faults = typeFaults(type, others)
  if (faults.length === 0) return
  const base = resolveType(type.baseType, others)
  const isMissing = 'fault' in base && !others.has(typeKey(type.baseType))
  throw new DefinitionError(isMissing ? 'Missing dependency' : 'Invalid definition', faults)
}
