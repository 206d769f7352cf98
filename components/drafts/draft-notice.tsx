import type { ReactNode } from 'react'
import { Button } from '@/components/ui/button'
import { Notice } from '@/components/ui/notice'
import type { RestoredDraft } from './use-draft'

type Props = {
  restored: RestoredDraft | null
  /** How the draft differs from what is stored, where that has changed since. */
  difference?: ReactNode
}

/** Says that a form opened with input that was kept on this device. */
export function DraftNotice({ restored, difference }: Props) {
  if (!restored) return null
  const { savedAt, isOutdated, onDiscard } = restored
  return (
    <Notice
      role="status"
      tone={isOutdated ? 'warning' : 'info'}
      title={`Draft from ${ageText(savedAt, Date.now())} restored`}
      actions={
        <Button size="sm" onClick={onDiscard}>
          Discard draft
        </Button>
      }
    >
      {isOutdated && (
        <>
          What is stored has changed since. Your changes are shown over its present state; check
          them before you save.
          {difference}
        </>
      )}
    </Notice>
  )
}

const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** `5 minutes ago`, of a time in milliseconds before `now`. */
export function ageText(time: number, now: number): string {
  const seconds = Math.max(0, (now - time) / 1000)
  const found = UNITS.find(([, size]) => seconds >= size)
  if (!found) return 'a moment ago'
  const [unit, size] = found
  return new Intl.RelativeTimeFormat('en').format(-Math.floor(seconds / size), unit)
}
