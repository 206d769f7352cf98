'use client'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toast } from 'sonner'
import { refreshRecords } from '@/components/trash/trash-queries'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { useNavigate } from '@/components/ui/pending-page'
import { Skeleton } from '@/components/ui/skeleton'
import { getQueryClient } from '@/lib/query/client'
import { allOf } from './conflicts/resolution'
import { RollbackConflicts } from './rollback-conflicts'
import { rollBack, rollbackPlanOptions } from './rollback-queries'
import { RollbackReport } from './rollback-report'
import type { History } from './types'

type Props = {
  install: Pick<History, 'id' | 'kind' | 'pluginName' | 'version'>
  onClose: () => void
}

/** Reports what rolling an install back would do, and does that. */
export default function RollbackInstall({ install, onClose }: Props) {
  const { id, kind, pluginName } = install
  const name = pluginName ?? 'the install'
  const isUndo = kind === 'rollback'
  const navigate = useNavigate()
  const [resolution, setResolution] = useState(allOf('keep'))
  const report = useQuery({
    ...rollbackPlanOptions(id, resolution),
    placeholderData: keepPreviousData,
  })
  const plan = report.data
  const rollback = useMutation({
    mutationFn: () => rollBack(id, resolution, plan?.seal ?? ''),
    onSuccess: async (history) => {
      toast.success(isUndo ? `Rollback of ${name} undone` : `${name} rolled back`)
      onClose()
      await refreshRecords()
      await getQueryClient().invalidateQueries({ queryKey: ['plugin'] })
      if (history !== null) navigate(`/plugins/history/${history}`)
    },
    onError: () => void report.refetch(),
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      size="lg"
      title={isUndo ? `Undo the rollback of ${name}?` : `Roll back ${name}?`}
      description="This is what it would do. Nothing has changed yet, and it can be undone."
      confirmLabel={isUndo ? 'Undo the rollback' : 'Roll back'}
      tone="primary"
      disabled={!plan || report.isFetching}
      busy={rollback.isPending}
      error={rollback.error?.message ?? report.error?.message}
      onConfirm={() => rollback.mutate()}
    >
      {plan ? (
        <>
          <RollbackReport plan={plan} />
          <RollbackConflicts plan={plan} resolution={resolution} onResolve={setResolution} />
        </>
      ) : (
        !report.error && <Skeleton className="h-24" />
      )}
    </ConfirmDialog>
  )
}
