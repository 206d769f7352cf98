import { DefinitionError } from '@/lib/definitions/definition-error'
import { fault } from '@/lib/definitions/definition-faults'

/** Throws `DefinitionError` when the installed name differs from `name` only in case. */
export function requireSameName(what: string, installed: string | undefined, name: string): void {
  if (installed === undefined || installed === name) return
  const message = `Clashes with the installed ${what} "${installed}"`
  throw new DefinitionError('Invalid definition', [fault('/name', message, name)])
}

type Owned = { name: string; pluginId: string | null }

/** Notes it when another plugin installed this definition. */
export function ownerNotes(installed: Owned | undefined, pluginId: string): string[] {
  const owner = installed?.pluginId ?? null
  return owner === null || owner === pluginId
    ? []
    : [`${installed?.name} came from the plugin ${owner}`]
}
