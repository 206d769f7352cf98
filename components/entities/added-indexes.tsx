'use client'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { ConfirmDialog } from '@/components/ui/alert-dialog'
import { Button } from '@/components/ui/button'
import { formatCount } from '@/components/ui/number'
import { Progress } from '@/components/ui/progress'
import { Badge, Status } from '@/components/ui/status'
import { Table, Td, Th } from '@/components/ui/table'
import { Time } from '@/components/ui/time'
import type { AddedIndexView } from '@/lib/advice/contract'
import { formatBytes } from '@/lib/values/format-bytes'
import { dropIndex, refreshAdvice } from './advice-queries'
import { indexText } from './shape-text'

type Props = { entity: string; indexes: readonly AddedIndexView[] }

/** The indexes that were added to an entity, with their state. */
export function AddedIndexes({ entity, indexes }: Props) {
  const mayDrop = useCan('plugins:install')
  const [dropping, setDropping] = useState<AddedIndexView | null>(null)
  return (
    <>
      <Table aria-label="Added indexes" className="[&_tr:last-child>td]:border-b-0">
        <thead>
          <tr>
            <Th>Index</Th>
            <Th>State</Th>
            <Th>Size</Th>
            <Th>Uses</Th>
            <Th>Created</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {indexes.map((index) => (
            <tr key={index.name}>
              <Td className="min-w-40">
                <span className="font-mono text-xs" title={index.name}>
                  {indexText(index)}
                </span>{' '}
                {index.unique && <Badge>unique</Badge>}
              </Td>
              <Td className="min-w-40">
                <State index={index} />
              </Td>
              <Td className="whitespace-nowrap">
                {index.bytes === null ? '—' : formatBytes(index.bytes)}
              </Td>
              <Td>{index.scans === null ? '—' : formatCount(index.scans)}</Td>
              <Td>
                <Time value={index.createdAt} relative />
              </Td>
              <Td className="text-right">
                {mayDrop && (
                  <Button
                    size="sm"
                    variant="destructive-outline"
                    onClick={() => setDropping(index)}
                  >
                    Drop index
                  </Button>
                )}
              </Td>
            </tr>
          ))}
        </tbody>
      </Table>
      {dropping && <AskToDrop entity={entity} index={dropping} onClose={() => setDropping(null)} />}
    </>
  )
}

function State({ index: { state, progress, error, name } }: { index: AddedIndexView }) {
  if (state === 'ready') return <Status tone="success">Ready</Status>
  if (state === 'failed')
    return (
      <span className="grid justify-items-start gap-1">
        <Status tone="destructive">Failed</Status>
        <span className="text-muted-foreground">{error}</span>
      </span>
    )
  if (progress === null) return <Status tone="progress">Building</Status>
  const percent = Math.round(progress * 100)
  return <Progress key={name} label="Building" value={percent} text={`${percent} %`} />
}

type AskProps = { entity: string; index: AddedIndexView; onClose: () => void }

function AskToDrop({ entity, index, onClose }: AskProps) {
  const client = useQueryClient()
  const removal = useMutation({
    mutationFn: () => dropIndex(entity, index.name),
    onSuccess: async () => {
      await refreshAdvice(client, entity)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Drop the index on ${indexText(index)}?`}
      description="No record is changed. Searches that use it become as slow as they were; it can be created again."
      confirmLabel="Drop index"
      busy={removal.isPending}
      error={removal.error?.message}
      onConfirm={() => removal.mutate()}
    />
  )
}
