import { useEffect, useRef, useState } from 'react'
import { refreshEntity } from '@/components/entities/entity-queries'
import { Button } from '@/components/ui/button'
import { countOf } from '@/components/ui/number'
import { barText } from './live-list'
import { type LiveListProps, useLiveList } from './use-live-list'

/** Shows what others do to the records of a list: changed cells in place, and a bar that offers the rest. */
export default function LiveRecords(props: LiveListProps) {
  const { list, matching, changed, begin } = useLiveList(props)
  const text = barText(list, matching)
  useShownAgain(props.isFetching, begin)
  return (
    <div className="pointer-events-none sticky bottom-2 z-20 -mt-3 flex h-0 items-end justify-center">
      <Said changed={changed} />
      <div role="status">
        {text && (
          <p className="pointer-events-auto mb-3 flex items-center gap-2 rounded-full border bg-popover py-1 pr-1 pl-4 text-[13px] whitespace-nowrap text-popover-foreground shadow-lg">
            {text}
            <Button
              size="sm"
              variant="primary"
              className="rounded-full"
              onClick={() => void refreshEntity(props.entity)}
            >
              Show
            </Button>
          </p>
        )}
      </div>
    </div>
  )
}

/** Calls `begin` each time the list has been asked for again. */
function useShownAgain(isFetching: boolean, begin: () => void): void {
  const was = useRef(isFetching)
  useEffect(() => {
    if (was.current && !isFetching) begin()
    was.current = isFetching
  }, [isFetching, begin])
}

const SAID_MS = 4_000

/** Tells those who hear the page of changed records, once in a while. */
function Said({ changed }: { changed: number }) {
  const [said, setSaid] = useState({ of: 0, text: '' })
  useEffect(() => {
    if (changed === said.of) return
    const timer = setTimeout(
      () => setSaid({ of: changed, text: `${countOf(changed - said.of, 'change')} by others` }),
      said.of === 0 ? 0 : SAID_MS,
    )
    return () => clearTimeout(timer)
  }, [changed, said])
  return (
    <p role="status" className="sr-only">
      {said.text}
    </p>
  )
}
