import { CircleAlertIcon } from 'lucide-react'
import { Button } from '@/components/ui/button'
import { popupClass } from '@/components/ui/cn'
import { Kbd } from '@/components/ui/kbd'
import type { Condition } from './condition'
import { describe, type FilterField } from './field'
import { parseTyped } from './parse-typed'

type Props = {
  id: string
  text: string
  fields: readonly FilterField[]
  onAdd: (conditions: Condition[]) => void
}

/** Below the search box: the condition that Enter makes of the text, or what is wrong with it. */
export default function TypedHint({ id, text, fields, onAdd }: Props) {
  const typed = parseTyped(text, fields) ?? []
  const faults = typed.flatMap(({ fault }) => fault ?? [])
  const meant = typed.map(({ condition, fault }) => fault?.meant?.condition ?? condition)
  const [fault] = faults
  const words = meant.map((condition) => describe(condition, fields)).join(' and ')
  return (
    <div
      id={id}
      role="status"
      className={`${popupClass} absolute top-full left-0 z-30 mt-1 hidden w-max max-w-[min(28rem,calc(100vw-2rem))] gap-1.5 px-2.5 py-1.5 text-[13px] group-focus-within:grid`}
    >
      {fault && (
        <p className="flex items-start gap-1.5 text-destructive">
          <CircleAlertIcon aria-hidden className="mt-0.5 size-3.5 shrink-0" />
          {fault.reason}
        </p>
      )}
      {fault && faults.every((each) => each.meant) && (
        <Button size="sm" className="justify-self-start" onClick={() => onAdd(meant)}>
          Filter by {words}
        </Button>
      )}
      {!fault && (
        <p>
          {words ? (
            <>
              <Kbd>↵</Kbd> filters by <span className="font-medium">{words}</span>
            </>
          ) : (
            'Write field:operator:value'
          )}
        </p>
      )}
    </div>
  )
}
