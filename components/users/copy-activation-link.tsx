import { CopyButton } from '@/components/ui/copy-button'
import type { User } from '@/lib/users/contract'
import { useActivation } from './activation-link'

/** The link of the latest activation mail, as long as the outbox stores its content. */
export function CopyActivationLink({ user }: { user: User }) {
  const { link } = useActivation(user.email)
  return link ? <CopyButton showLabel label="Copy activation link" text={link} /> : null
}
