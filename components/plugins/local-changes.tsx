import { queryOptions, useQuery } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useCan } from '@/components/shell/viewer'
import { Button, buttonClass } from '@/components/ui/button'
import { Card } from '@/components/ui/card'
import { Link } from '@/components/ui/link'
import { ErrorState } from '@/components/ui/state'
import { Badge } from '@/components/ui/status'
import { Time } from '@/components/ui/time'
import { api } from '@/lib/http/client'
import type { ModelLayer } from '@/lib/lifecycle/model-contract'
import { RecordDiff } from './record-diff'

const PlannedEdit = dynamic(() => import('@/components/model/planned-edit'))

const PATH = '/api/model/layers'

/** What was changed here in the definitions of a plugin; null: nothing. */
export const layerOptions = (plugin: string) =>
  queryOptions({
    queryKey: ['plugin', 'layer', plugin],
    queryFn: async ({ signal }) =>
      (await api<ModelLayer>(PATH, { query: { plugin }, signal })).data[0] ?? null,
  })

type Change = ModelLayer['changes'][number]

/** The definitions of a plugin that were changed here, which its author’s next version is merged with; nothing where none was. */
export function LocalChanges({ id }: { id: string }) {
  const layer = useQuery(layerOptions(id))
  const mayEdit = useCan('plugins:install')
  const [reverted, setReverted] = useState<readonly Change[] | null>(null)
  if (layer.error) return <ErrorState of={layer} />
  if (!layer.data) return null
  const { changes, baseVersion, lastHistoryId } = layer.data
  return (
    <Card
      flush
      title="Local changes"
      description={`Of the definitions of version ${baseVersion ?? '—'}; the author’s next version is merged with them`}
      actions={
        <>
          <a
            href={`${PATH}/${encodeURIComponent(id)}/export`}
            download
            className={buttonClass({ size: 'sm' })}
          >
            Export
          </a>
          {mayEdit && (
            <Button size="sm" onClick={() => setReverted(changes)}>
              Revert all
            </Button>
          )}
        </>
      }
    >
      <ul className="divide-y" aria-label="Local changes">
        {changes.map((one) => (
          <ChangeRow
            key={nameOf(one)}
            change={one}
            onRevert={mayEdit ? () => setReverted([one]) : undefined}
          />
        ))}
      </ul>
      <Installs layer={layer.data} />
      {reverted && (
        <PlannedEdit
          title="Revert local changes"
          change={{
            plugin: id,
            lastHistoryId: lastHistoryId ?? undefined,
            reverted: reverted.map(({ kind, name }) => ({ kind, name })),
          }}
          words={wordsOf(reverted)}
          done="The local changes were reverted"
          onClose={() => setReverted(null)}
        />
      )}
    </Card>
  )
}

const nameOf = ({ kind, name }: Change) => `${kind} ${name}`

function wordsOf(reverted: readonly Change[]): string {
  const named = (of: Change['change']) => reverted.filter(({ change }) => change === of).map(nameOf)
  const [changed, added] = [named('changed'), named('added')]
  return [
    ...(changed.length > 0 ? [`As the author gave it: ${changed.join(', ')}`] : []),
    ...(added.length > 0 ? [`Removed, as it was added here: ${added.join(', ')}`] : []),
  ].join(' · ')
}

type RowProps = { change: Change; onRevert: (() => void) | undefined }

function ChangeRow({ change: one, onRevert }: RowProps) {
  const { kind, name, change, fields } = one
  const side = (of: 'base' | 'ours') =>
    Object.fromEntries(fields.map((field) => [field.field, field[of]]))
  return (
    <li className="grid gap-2 px-4 py-2.5">
      <div className="flex flex-wrap items-center gap-2">
        <p className="mr-auto flex min-w-0 flex-wrap items-center gap-2 text-[13px]">
          <span className="text-muted-foreground">{kind}</span>
          <span className="min-w-0 font-medium break-words">{name}</span>
          {change === 'added' && <Badge>added here</Badge>}
        </p>
        {onRevert && (
          <Button
            size="sm"
            variant="ghost"
            aria-label={`Revert ${kind} ${name}`}
            onClick={onRevert}
          >
            Revert
          </Button>
        )}
      </div>
      <RecordDiff before={side('base')} after={side('ours')} />
    </li>
  )
}

const Installs = ({ layer: { installs } }: { layer: ModelLayer }) =>
  installs.length > 0 && (
    <p className="flex flex-wrap gap-x-3 gap-y-1 border-t px-4 py-2.5 text-xs text-muted-foreground">
      {installs.map(({ id, version, at, by }) => (
        <span key={id}>
          <Link
            href={`/plugins/history/${id}`}
            className="text-primary underline underline-offset-2"
          >
            {version}
          </Link>{' '}
          by {by ?? '—'}, <Time value={at} relative />
        </span>
      ))}
    </p>
  )
