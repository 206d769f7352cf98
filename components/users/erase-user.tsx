import { useQuery } from '@tanstack/react-query'
import { useConfirmation } from '@/components/second-factors/use-confirmation'
import { ErasureDialog } from '@/components/ui/erasure-dialog'
import { Notice } from '@/components/ui/notice'
import { countOf } from '@/components/ui/number'
import { useNavigate } from '@/components/ui/pending-page'
import { toast } from '@/components/ui/toast'
import type { PersonErasure } from '@/lib/erasure/contract'
import type { User } from '@/lib/users/contract'
import { eraseUser, tryErasure, useUserDeletion } from './user-queries'

/** Asks for the email before a person is erased. */
export function EraseUser({ user, onClose }: { user: User; onClose: () => void }) {
  const { userId, email } = user
  const navigate = useNavigate()
  const trial = useQuery({
    queryKey: ['user-erasure', userId],
    queryFn: () => tryErasure(userId),
    gcTime: 0,
  })
  const { run, dialog } = useConfirmation('erase people')
  const erasure = useUserDeletion(userId, {
    act: () => run(() => eraseUser(userId, email)),
    onDeleted: (erased) => {
      if (!erased) return
      toast.success(`${email} is erased: ${erased.pseudonym} stands in their place`)
      navigate('/users')
    },
  })
  return (
    <>
      <ErasureDialog
        onClose={onClose}
        title={`Erase ${email} everywhere?`}
        description="Their account is deleted with all that belongs to it, and a pseudonym takes their place in the audit log, comments, records and copies of records. This cannot be undone."
        confirmLabel="Erase person"
        typeToConfirm={email}
        trial={trial}
        attempt={erasure}
        onConfirm={() => erasure.mutate()}
      >
        {Remaining}
      </ErasureDialog>
      {dialog}
    </>
  )
}

function Remaining({ remaining }: PersonErasure) {
  if (remaining.length === 0) return null
  const rows = remaining.reduce((sum, { rows }) => sum + rows, 0)
  return (
    <Notice title={`The email stays in ${countOf(rows, 'row')} that people wrote`}>
      {remaining.map(({ table, rows }) => `${table}: ${rows}`).join(', ')}. Change these records, or
      erase them.
    </Notice>
  )
}
