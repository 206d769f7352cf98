import { DefinitionError, fault } from '@/lib/definitions/definition-faults'

/** Throws `DefinitionError` when the installed name differs from `name` only in case. */
export function requireSameName(what: string, installed: string | undefined, name: string): void {
  if (installed === undefined || installed === name) return
  const message = `Clashes with the installed ${what} "${installed}"`
  throw new DefinitionError('Invalid definition', [fault('/name', message, name)])
}

type Owned = { name: string; pluginId: string | null }

/** Notes it when this definition is installed and was not the plugin's own. */
export function ownerNotes(installed: Owned | undefined, pluginId: string): string[] {
  if (!installed || installed.pluginId === pluginId) return []
  const { name, pluginId: owner } = installed
  return [
    owner === null ? `${name} belonged to no plugin` : `${name} came from the plugin ${owner}`,
  ]
}
