import { cn } from './cn'
import { CopyButton } from './copy-button'

type Props = {
  code: string
  label: string
  className?: string
  wrap?: boolean
  /** As high as the text: nothing scrolls but long lines. */
  whole?: boolean
}

/** Text to be read or copied as it is. It takes the focus, so that the keyboard can scroll it. */
export function CodeBlock({ code, label, className, wrap, whole }: Props) {
  return (
    <div className={cn('relative rounded-lg border bg-muted/50 pr-10', className)}>
      <section
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        tabIndex={0}
        aria-label={label}
        className={cn('overflow-auto rounded-lg p-3', !whole && 'max-h-[28rem]')}
      >
        <pre className={cn('font-mono text-xs leading-5', wrap && 'break-all whitespace-pre-wrap')}>
          {code}
        </pre>
      </section>
      <CopyButton
        text={code}
        label={`Copy ${label}`}
        className="absolute top-1.5 right-1.5 bg-background"
      />
    </div>
  )
}
