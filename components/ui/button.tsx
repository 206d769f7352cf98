import { LoaderCircleIcon, type LucideIcon } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './cn'

const VARIANTS = {
  primary:
    'bg-primary text-primary-foreground hover:bg-primary-hover border-transparent font-medium',
  outline: 'bg-card border-border hover:bg-accent data-popup-open:bg-accent',
  ghost: 'border-transparent hover:bg-accent data-popup-open:bg-accent',
  destructive:
    'bg-destructive text-primary-foreground hover:bg-destructive-hover border-transparent font-medium dark:text-background',
  'destructive-outline':
    'bg-card border-border text-destructive hover:bg-destructive-soft data-popup-open:bg-destructive-soft',
} as const

const SIZES = {
  sm: 'h-7 px-2 gap-1.5 text-[13px] rounded-md [&_svg]:size-3.5',
  md: 'h-8 px-3 gap-2 text-sm rounded-md [&_svg]:size-4',
  icon: 'size-8 rounded-md [&_svg]:size-4',
  'icon-sm': 'size-7 rounded-md [&_svg]:size-3.5',
} as const

type Look = { variant?: keyof typeof VARIANTS; size?: keyof typeof SIZES }

/** Classes of a button, for links that look like one. */
export const buttonClass = ({ variant = 'outline', size = 'md' }: Look = {}, className?: string) =>
  cn(
    'inline-flex shrink-0 items-center justify-center border whitespace-nowrap select-none transition-colors',
    'disabled:pointer-events-none disabled:opacity-50 aria-disabled:pointer-events-none aria-disabled:opacity-50',
    VARIANTS[variant],
    SIZES[size],
    className,
  )

/** `busy` shows a spinner in place of the icon, keeps the width and refuses a second press. */
export function Button({
  variant,
  size,
  busy = false,
  className,
  children,
  disabled,
  type = 'button',
  ...props
}: ComponentProps<'button'> & Look & { busy?: boolean }) {
  return (
    <button
      type={type}
      aria-busy={busy || undefined}
      disabled={disabled || busy}
      className={buttonClass({ variant, size }, cn(busy && 'relative', className))}
      {...props}
    >
      {busy && (
        <span className="absolute inset-0 grid place-items-center">
          <LoaderCircleIcon aria-hidden className="animate-spin" />
        </span>
      )}
      {busy ? (
        <span className="inline-flex items-center gap-2 opacity-0">{children}</span>
      ) : (
        children
      )}
    </button>
  )
}

type IconButtonProps = Omit<ComponentProps<typeof Button>, 'aria-label' | 'children'> & {
  icon: LucideIcon
  /** What it does, for screen readers. */
  label: string
}

/** A button that shows an icon alone. */
export const IconButton = ({ icon: Icon, label, ...props }: IconButtonProps) => (
  <Button variant="ghost" size="icon-sm" aria-label={label} {...props}>
    <Icon aria-hidden />
  </Button>
)
