import { Menu as Base } from '@base-ui/react/menu'
import { CheckIcon } from 'lucide-react'
import type { ComponentProps, ReactElement, ReactNode } from 'react'
import { Link } from '@/components/ui/link'
import { cn, itemClass, popupClass } from './cn'

type Props = {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end' | 'center'
  side?: 'top' | 'bottom' | 'right'
  className?: string
  defaultOpen?: boolean
}

/** A button that opens a list of actions. */
export function Menu(props: Props) {
  const { trigger, children, align = 'end', side = 'bottom', className, defaultOpen } = props
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-50">
          <Base.Popup className={cn(popupClass, 'min-w-44 max-w-80', className)}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type ItemProps = ComponentProps<typeof Base.Item> & { tone?: 'destructive' }

export function MenuItem({ className, tone, ...props }: ItemProps) {
  return (
    <Base.Item
      className={cn(
        itemClass,
        tone === 'destructive' && 'text-destructive [&>svg]:text-destructive',
        className as string,
      )}
      {...props}
    />
  )
}

export function MenuLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Base.LinkItem closeOnClick className={itemClass} render={<Link href={href} />}>
      {children}
    </Base.LinkItem>
  )
}

export type RadioProps<T extends string> = {
  label: string
  value: T
  onValueChange: (value: T) => void
  options: readonly { value: T; label: ReactNode }[]
}

export function MenuRadioGroup<T extends string>(props: RadioProps<T>) {
  const { label, value, onValueChange, options } = props
  return (
    <Base.RadioGroup value={value} onValueChange={(next) => onValueChange(next as T)}>
      <Base.GroupLabel className="px-2 py-1 text-xs text-muted-foreground">{label}</Base.GroupLabel>
      {options.map((option) => (
        <Base.RadioItem key={option.value} value={option.value} className={cn(itemClass, 'pr-8')}>
          {option.label}
          <Base.RadioItemIndicator className="absolute right-2">
            <CheckIcon aria-hidden className="size-3.5" />
          </Base.RadioItemIndicator>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  )
}

export const MenuSeparator = () => <Base.Separator className="-mx-1 my-1 h-px bg-border" />

export function MenuHeading({ children }: { children: ReactNode }) {
  return <div className="px-2 py-1 text-xs text-muted-foreground">{children}</div>
}
