import { countOf, formatCount } from '@/components/ui/number'
import { Segmented } from '@/components/ui/segmented'
import { allOf, countsOf, type Group, type Resolution, type Side } from './resolution'
import type { Wording } from './wording'

type Props = {
  groups: readonly Group[]
  /** What the conflicts are about. */
  text: string
  wording: Wording
  resolution: Resolution
  onResolve: (resolution: Resolution) => void
  readOnly?: boolean
}

/** How many conflicts there are and how they are resolved, and one choice for all of them. */
export function ChooseForAll({ groups, text, wording, resolution, onResolve, readOnly }: Props) {
  const total = groups.reduce((sum, group) => sum + group.total, 0)
  const { keep, take, open } = countsOf(resolution, groups)
  const counts = [
    keep > 0 && `${formatCount(keep)} kept`,
    take > 0 && `${formatCount(take)} ${wording.taken}`,
    open > 0 && `${formatCount(open)} open`,
  ].filter(Boolean)
  const only: Side | null = keep === total ? 'keep' : take === total ? 'take' : null
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
      <div className="mr-auto grid min-w-0 flex-[1_1_16rem] gap-0.5">
        <p className="font-medium">
          {countOf(total, 'conflict')}
          <span className="tabular font-normal text-muted-foreground" aria-live="polite">
            : {counts.join(', ')}
          </span>
        </p>
        <p className="text-[13px] text-muted-foreground">{text}</p>
      </div>
      <Segmented
        aria-label="All conflicts"
        value={only}
        readOnly={readOnly}
        onValueChange={(side) => onResolve(allOf(side))}
        options={wording.all}
      />
    </div>
  )
}
