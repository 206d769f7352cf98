'use client'
import { CheckIcon, PinIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Pager } from '@/components/ui/pager'
import { Segmented } from '@/components/ui/segmented'
import { Status } from '@/components/ui/status'
import { plainText } from '@/lib/values/exact-json'
import { type Conflict, ConflictHeader, ConflictRow } from './conflict-row'
import { type Resolution, type Side, sideOf, withSide } from './resolution'
import type { Wording } from './wording'

type Props = {
  entity: string
  conflicts: readonly Conflict[]
  wording: Wording
}

type ChoiceProps = Props & {
  resolution: Resolution
  /** What happens to records about which nothing was chosen. */
  fallback: Side | null
  onResolve: (resolution: Resolution) => void
  readOnly?: boolean
}

/** Records in conflict, with a choice for each. */
export function ConflictList({ entity, conflicts, wording, ...choice }: ChoiceProps) {
  const { resolution, fallback, onResolve, readOnly } = choice
  return (
    <Frame conflicts={conflicts} wording={wording}>
      {conflicts.map((conflict) => {
        const key = plainText(conflict.key)
        const side = sideOf(resolution, { entity, key }) ?? fallback
        return (
          <ConflictRow
            key={key}
            {...{ entity, conflict, side, wording }}
            note={conflict.change === 'deleted' ? wording.deleted : wording.edited}
          >
            <Segmented
              aria-label={`${entity} ${key}`}
              value={side}
              readOnly={readOnly}
              onValueChange={(chosen) =>
                onResolve(withSide(resolution, { entity, key }, chosen, fallback))
              }
              options={wording.one}
            />
          </ConflictRow>
        )
      })}
    </Frame>
  )
}

/** Records that were in conflict, with what was chosen. */
export function DecidedConflicts({ entity, conflicts, wording }: Props) {
  const [page, setPage] = useState(0)
  const shown = conflicts.slice(page * SIZE, (page + 1) * SIZE)
  return (
    <>
      <Frame conflicts={shown} wording={wording}>
        {shown.map((conflict) => {
          const { key, change, decision } = conflict
          return (
            <ConflictRow
              key={plainText(key)}
              {...{ entity, conflict, wording }}
              side={decision}
              note={change === 'deleted' ? wording.wasDeleted[decision] : wording.wasEdited}
            >
              <Status tone="neutral" icon={decision === 'keep' ? PinIcon : CheckIcon}>
                {wording.chosen[decision]}
              </Status>
            </ConflictRow>
          )
        })}
      </Frame>
      <Pager
        aria-label={`Conflicts of ${entity}`}
        {...{ page, size: SIZE, total: conflicts.length }}
        onPage={setPage}
        text="conflicts"
      />
    </>
  )
}

const SIZE = 10

type FrameProps = Omit<Props, 'entity'> & { children: ReactNode }

const Frame = ({ conflicts, wording, children }: FrameProps) => (
  <div className="overflow-hidden rounded-md border bg-card">
    {conflicts.some(({ fields }) => fields.length > 0) && <ConflictHeader {...wording} />}
    <ul className="divide-y" aria-label="Conflicts">
      {children}
    </ul>
  </div>
)
