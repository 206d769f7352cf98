import { PencilIcon } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import type { View } from '../view-queries'

const EditRecords = dynamic(() => import('./edit-records'), { ssr: false })

/** Opens the edit of all records that the filter matches. */
export default function EditMatching({ entity, columns, query, total }: View) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button size="sm" disabled={total === 0} onClick={() => setOpen(true)}>
        <PencilIcon aria-hidden />
        <span>
          Edit {total === null ? '' : formatCount(total)} matching
          <span className="sr-only"> records</span>
        </span>
      </Button>
      {open && (
        <EditRecords
          {...{ entity, columns, query }}
          count={total}
          isMatch
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
