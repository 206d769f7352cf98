import type { FileDetail } from '@/lib/db/schema'

export type DefinitionVerdict = 'Invalid definition' | 'Incompatible change' | 'Missing dependency'

/** Why a definition can't be installed, with every fault found. Nothing of it has been applied. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'

  constructor(
    readonly verdict: DefinitionVerdict,
    readonly details: FileDetail[],
  ) {
    super(`${verdict}: ${details.map(({ message }) => message).join('; ')}`)
  }
}
