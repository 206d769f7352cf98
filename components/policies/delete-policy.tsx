import { Trash2Icon } from 'lucide-react'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { announceChange } from './announce-change'
import { deletePolicy, useRightsMutation } from './policy-queries'

type Props = { id: string; name: string; onDeleted: () => void }

/** Asks before a policy is deleted. */
export function DeletePolicy({ id, name, onDeleted }: Props) {
  const [open, setOpen] = useState(false)
  const deletion = useRightsMutation(deletePolicy)
  return (
    <>
      <Button variant="destructive-outline" onClick={() => setOpen(true)}>
        <Trash2Icon aria-hidden />
        Delete
      </Button>
      {open && (
        <ConfirmDialog
          onClose={() => setOpen(false)}
          title={`Delete the policy “${name}”?`}
          description="It no longer counts from then on, on every server. It can be undone for 7 days."
          confirmLabel="Delete policy"
          attempt={deletion}
          onConfirm={() =>
            deletion.mutate(id, {
              onSuccess: (batchId) => {
                announceChange(`Policy “${name}” deleted`, batchId)
                onDeleted()
              },
            })
          }
        />
      )}
    </>
  )
}
