import { buttonClass } from '@/components/ui/button'

type Props = {
  providers: { name: string; label: string }[]
  /** The path to go to afterwards. */
  returnTo: string
  /** A form for passwords follows. */
  hasPasswords: boolean
}

/** Links that lead to each provider: they need no script. */
export function ProviderButtons({ providers, returnTo, hasPasswords }: Props) {
  if (providers.length === 0) return null
  const query = new URLSearchParams({ returnTo })
  return (
    <div className="grid gap-3">
      {providers.map(({ name, label }) => (
        <a
          key={name}
          href={`/api/auth/oidc/${name}?${query}`}
          className={buttonClass({ variant: hasPasswords ? 'outline' : 'primary' })}
        >
          Sign in with {label}
        </a>
      ))}
      {hasPasswords && <p className="text-center text-[13px] text-muted-foreground">or</p>}
    </div>
  )
}
