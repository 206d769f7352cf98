import { EyeIcon, EyeOffIcon } from 'lucide-react'
import { type ComponentProps, useDeferredValue, useEffect, useState } from 'react'
import { cn } from '@/components/ui/cn'
import { Input } from '@/components/ui/input'
import type { Strength } from './password-strength'

type Props = Omit<ComponentProps<typeof Input>, 'type'> & {
  /** It is a new one: say how strong it is. */
  measured?: boolean
}

/** A password that can be shown while it is typed. */
export function PasswordInput({ measured = false, onValueChange, ...props }: Props) {
  const [shown, setShown] = useState(false)
  const [text, setText] = useState('')
  const Icon = shown ? EyeOffIcon : EyeIcon
  return (
    <div className="grid gap-1.5">
      <div className="relative">
        <Input
          {...props}
          type={shown ? 'text' : 'password'}
          spellCheck={false}
          autoCapitalize="none"
          className="pr-9"
          onValueChange={(value, details) => {
            setText(value)
            onValueChange?.(value, details)
          }}
        />
        <button
          type="button"
          aria-label={shown ? 'Hide the characters' : 'Show the characters'}
          aria-pressed={shown}
          onClick={() => setShown(!shown)}
          className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded-r-md text-muted-foreground hover:text-foreground"
        >
          <Icon aria-hidden className="size-4" />
        </button>
      </div>
      {measured && <StrengthMeter text={text} />}
    </div>
  )
}

const LEVELS: Record<Strength, { parts: number; tone: string }> = {
  'Too short': { parts: 0, tone: 'bg-destructive' },
  'Very weak': { parts: 1, tone: 'bg-destructive' },
  Weak: { parts: 1, tone: 'bg-destructive' },
  Fair: { parts: 2, tone: 'bg-warning' },
  Strong: { parts: 3, tone: 'bg-success' },
  'Very strong': { parts: 4, tone: 'bg-success' },
}

const PARTS = [1, 2, 3, 4]

/** In words and as a bar; its place is kept, so that nothing moves when typing begins. */
function StrengthMeter({ text }: { text: string }) {
  const strength = useStrength(useDeferredValue(text))
  const level = strength && LEVELS[strength]
  return (
    <div className="flex h-4 items-center gap-1">
      {PARTS.map((part) => (
        <span
          key={part}
          aria-hidden
          className={cn(
            'h-1 flex-1 rounded-full',
            level && part <= level.parts ? level.tone : 'bg-border',
          )}
        />
      ))}
      <span role="status" className="w-20 text-right text-xs text-muted-foreground">
        {strength}
      </span>
    </div>
  )
}

/** Null without a text, and until the word list has come. */
function useStrength(text: string): Strength | null {
  const [strength, setStrength] = useState<Strength | null>(null)
  useEffect(() => {
    if (text === '') return setStrength(null)
    let isCurrent = true
    void import('./password-strength').then(({ strengthOf }) => {
      if (isCurrent) setStrength(strengthOf(text))
    })
    return () => {
      isCurrent = false
    }
  }, [text])
  return strength
}
