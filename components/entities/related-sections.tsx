import { LinkedRecords } from './linked-records'
import { ReferencedBy } from './referenced-by'
import type { EntityRecord } from './types'

type Props = { entity: string; record: EntityRecord; readOnly: boolean }

/** The records that belong to one: those that links list, and those that refer to it. Loaded with the first record that is opened. */
export default function RelatedSections({ entity, record, readOnly }: Props) {
  return (
    <>
      <LinkedRecords {...{ entity, record, readOnly }} />
      <ReferencedBy {...{ entity, record }} />
    </>
  )
}
