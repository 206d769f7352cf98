import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Condition } from '@/components/data-table/filter/condition'
import { useConfirmation } from '@/components/second-factors/use-confirmation'
import { refreshRecords } from '@/components/trash/trash-queries'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { ErasureDialog } from '@/components/ui/erasure-dialog'
import { countOf } from '@/components/ui/number'
import { toast } from '@/components/ui/toast'
import type { NamedView, RecordsErasure } from '@/lib/erasure/contract'
import { apiItem } from '@/lib/http/client'
import { ConditionList } from './condition-list'
import { entityPath } from './entity-queries'
import type { View } from './view-queries'

/**
 * Asks before records that meet the conditions of a view are erased in all copies. The numbers that were told are sent along: if one has
 * changed since, nothing is erased.
 */
export default function EraseRecords({ view, onClose }: { view: View; onClose: () => void }) {
  const { entity, query, columns } = view
  const trial = useQuery({
    queryKey: ['erasure', entity, query],
    queryFn: () => erase(entity, query, { dryRun: true }),
    gcTime: 0,
  })
  const [chosen, setChosen] = useState<string[]>([])
  const { run, dialog } = useConfirmation('erase records')
  const { records: expected, others: expectedOthers } = trial.data ?? {}
  const what = expected === undefined ? 'records' : countOf(expected, 'record')
  const erasure = useMutation({
    mutationFn: () =>
      run(() => erase(entity, query, { expected, expectedOthers, views: joined(chosen) })),
    onSuccess: (erased) => {
      if (!erased) return
      onClose()
      void refreshRecords()
      toast.success(`${countOf(erased.records, 'record')} of ${entity} erased in all copies`)
    },
    onError: () => void trial.refetch(),
  })
  return (
    <>
      <ErasureDialog
        onClose={onClose}
        title={`Erase ${what} of ${entity} everywhere?`}
        description="They are deleted with their history and all copies: in the trash, the log of changes, deliveries, exports and what plugins gave. Copies of records that matched before are deleted, too. This cannot be undone."
        confirmLabel="Erase records"
        typeToConfirm={entity}
        trial={trial}
        attempt={erasure}
        onConfirm={() => erasure.mutate()}
      >
        {({ others, views }) => (
          <>
            {others > 0 && (
              <p>
                {countOf(others, 'further record')} lose copies or go along by their references.
              </p>
            )}
            <ConditionList filter={query} columns={columns} of="erasure" />
            <NamedViews views={views} chosen={chosen} onChange={setChosen} />
          </>
        )}
      </ErasureDialog>
      {dialog}
    </>
  )
}

const joined = (ids: readonly string[]) => (ids.length > 0 ? ids.join() : undefined)

type Chosen = { chosen: readonly string[]; onChange: (ids: string[]) => void }

/** Views that may be of what is erased alone, or of much else. */
function NamedViews({ views, chosen, onChange }: { views: readonly NamedView[] } & Chosen) {
  if (views.length === 0) return null
  const without = (id: string) => chosen.filter((one) => one !== id)
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1">
        {countOf(views.length, 'saved view')} with a value of these conditions. Delete, too:
      </legend>
      {views.map(({ id, entity, name }) => (
        <LabelledCheckbox
          key={id}
          label={name}
          hint={entity}
          checked={chosen.includes(id)}
          onCheckedChange={(on) => onChange(on ? [...chosen, id] : without(id))}
        />
      ))}
    </fieldset>
  )
}

const erase = (
  entity: string,
  query: readonly Condition[],
  params: Partial<Record<'expected' | 'expectedOthers', number | undefined>> & {
    dryRun?: boolean
    views?: string | undefined
  },
) =>
  apiItem<RecordsErasure>(entityPath(entity, '/erasure'), {
    method: 'POST',
    query: params,
    body: { query },
  })
