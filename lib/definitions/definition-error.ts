import type { FaultGroup } from '@/lib/definitions/fault-group'
import type { FileDetail } from '@/lib/definitions/file-detail'

export type DefinitionVerdict = 'Invalid definition' | 'Incompatible change' | 'Missing dependency'

/** Why a definition can't be installed, with every fault found. Nothing has been applied. */
export class DefinitionError extends Error {
  override readonly name = 'DefinitionError'

  constructor(
    readonly verdict: DefinitionVerdict,
    readonly details: FileDetail[],
    /** The number of faults, when `details` holds only the first of them. */
    readonly count = details.length,
    /** Of stored records, by rule. */
    readonly groups: FaultGroup[] = [],
  ) {
    super(`${verdict}: ${details.map(({ message }) => message).join('; ')}`)
  }
}
