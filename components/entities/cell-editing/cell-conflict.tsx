import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import { CellValue } from '../cell-value'
import type { ColumnDescription, EntityRecord } from '../types'

type Props = {
  column: ColumnDescription
  /** The record as it is now. */
  record: EntityRecord
  onTake: () => void
  onOverwrite: () => void
}

/** The field was changed by another user meanwhile: which of the values is to stay? */
export const CellConflictNotice = ({ column, record, onTake, onOverwrite }: Props) => (
  <Notice tone="warning" role="alert" title="Changed by another user meanwhile">
    <p className="break-words">
      Now: <CellValue value={record[column.name]} column={column} record={record} />
    </p>
    <div className="mt-2 flex flex-wrap gap-2">
      <Button size="sm" onClick={onTake}>
        Keep that value
      </Button>
      <Button size="sm" variant="primary" onClick={onOverwrite}>
        Overwrite it
      </Button>
    </div>
  </Notice>
)
