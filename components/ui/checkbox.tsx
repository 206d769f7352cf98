import { type ReactNode, useEffect, useRef } from 'react'
import { cn } from './cn'

type Props = {
  checked?: boolean
  /** Neither: some of several are checked. */
  indeterminate?: boolean
  disabled?: boolean
  'aria-label'?: string
  'aria-describedby'?: string
  'aria-invalid'?: boolean
  className?: string
  onCheckedChange?: (checked: boolean, pressed: { withShift: boolean }) => void
}

const MARK =
  "checked:bg-[url('data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%2016%2016%22%20fill=%22none%22%20stroke=%22white%22%20stroke-width=%222.5%22%20stroke-linecap=%22round%22%20stroke-linejoin=%22round%22%3E%3Cpath%20d=%22m3.5%208.5%203%203%206-7%22/%3E%3C/svg%3E')] " +
  "indeterminate:bg-[url('data:image/svg+xml,%3Csvg%20xmlns=%22http://www.w3.org/2000/svg%22%20viewBox=%220%200%2016%2016%22%20stroke=%22white%22%20stroke-width=%222.5%22%20stroke-linecap=%22round%22%3E%3Cpath%20d=%22M4%208h8%22/%3E%3C/svg%3E')]"

/** A plain one: a table has hundreds. The box is 16 px, its hit area 24. */
export function Checkbox({ indeterminate = false, onCheckedChange, className, ...props }: Props) {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (input.current) input.current.indeterminate = indeterminate
  }, [indeterminate])
  return (
    <input
      ref={input}
      type="checkbox"
      className={cn(
        'relative size-4 shrink-0 cursor-pointer appearance-none rounded border border-input bg-card bg-center bg-no-repeat align-middle',
        'before:absolute before:-inset-1.25 checked:border-transparent checked:bg-check indeterminate:border-transparent indeterminate:bg-check disabled:cursor-not-allowed disabled:opacity-50',
        MARK,
        className,
      )}
      onChange={({ target, nativeEvent }) =>
        onCheckedChange?.(target.checked, {
          withShift: (nativeEvent as globalThis.MouseEvent).shiftKey === true,
        })
      }
      {...props}
    />
  )
}

type LabelledProps = Props & { label: ReactNode; hint?: ReactNode }

export function LabelledCheckbox({ label, hint, ...props }: LabelledProps) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is a real input inside
    <label className="flex items-start gap-2 text-sm">
      <Checkbox className="mt-0.5" {...props} />
      <span className="grid">
        <span>{label}</span>
        {hint && <span className="text-xs text-muted-foreground">{hint}</span>}
      </span>
    </label>
  )
}
