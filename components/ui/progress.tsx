import { Progress as Base } from '@base-ui/react/progress'

type Props = {
  label: string
  /** 0 to `max`; null when it is not known how much there is. */
  value: number | null
  max?: number
  /** `3 of 12 files` */
  text?: string
}

export function Progress({ label, value, max = 100, text }: Props) {
  return (
    <Base.Root
      value={value}
      max={max}
      aria-valuetext={text}
      className="grid grid-cols-[1fr_auto] gap-x-3 gap-y-1.5"
    >
      <Base.Label className="truncate text-[13px]">{label}</Base.Label>
      <span className="tabular text-[13px] text-muted-foreground">{text}</span>
      <Base.Track className="col-span-2 h-1.5 overflow-hidden rounded-full bg-accent">
        <Base.Indicator className="block h-full rounded-full bg-primary transition-[width] data-indeterminate:w-1/3 data-indeterminate:motion-safe:animate-pulse" />
      </Base.Track>
    </Base.Root>
  )
}
