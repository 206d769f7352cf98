import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DraftNotice } from '@/components/drafts/draft-notice'
import { useUnsaved } from '@/components/drafts/unsaved'
import { useDraft } from '@/components/drafts/use-draft'
import { FormDialog } from '@/components/ui/form-dialog'
import { FormField } from '@/components/ui/form-field'
import { Input } from '@/components/ui/input'
import { toast } from '@/components/ui/toast'
import type { User } from '@/lib/users/contract'
import { exactJsonText } from '@/lib/values/exact-json'
import { managedParts } from './managed-parts'
import { ProfileEditor } from './profile-editor'
import { parseProfile } from './profile-text'
import { RolesField } from './roles-field'
import { changeUser, identitiesOptions, type UserChanges, useUserMutation } from './user-queries'

/** Changes roles and profile. Other roles end the user's sessions. */
export function EditUser({ user, onClose }: { user: User; onClose: () => void }) {
  const [roles, setRoles] = useState(user.roles)
  const [profile, setProfile] = useState(exactJsonText(user.profile, 2))
  const stored = exactJsonText(user.profile, 2)
  const isSame = profile === stored && exactJsonText(roles) === exactJsonText(user.roles)
  const input = useDraft({
    form: `user ${user.userId}`,
    what: `The changes of ${user.email} are not saved yet.`,
    values: isSame ? null : { roles, profile },
    version: user.updatedAt,
    restore: (kept) => {
      setRoles(kept.roles)
      setProfile(kept.profile)
    },
    reset: () => {
      setRoles(user.roles)
      setProfile(stored)
    },
  })
  const change = useUserMutation(changeUser(user.userId))
  const source = useQuery(identitiesOptions(user.userId)).data?.find((one) => one.managesRoles)
  const changes = changesOf(user, roles, profile)
  const managed = user.managed ? managedParts(user.managed) : []

  function submit() {
    if (!changes) return
    change.mutate(changes, {
      onSuccess: () => {
        input.settle()
        toast.success(`${user.email} is changed`)
        onClose()
      },
    })
  }

  return (
    <FormDialog
      onClose={() => input.leave(onClose)}
      title={`Edit ${user.email}`}
      size="lg"
      submitLabel="Save"
      attempt={change}
      disabled={!changes || Object.keys(changes).length === 0}
      fields={['roles', 'profile']}
      onSubmit={submit}
      className="gap-5"
    >
      <DraftNotice restored={input.restored} />
      {managed.length > 0 && (
        <p className="text-muted-foreground">
          Your identity provider decides {managed.join('; ')}: change them there.
        </p>
      )}
      {source ? (
        <p className="text-muted-foreground">
          The roles are managed by {source.label}: change them there.
        </p>
      ) : (
        <RolesField roles={roles} onChange={setRoles} hint="Changing roles ends open sessions." />
      )}
      <ProfileEditor text={profile} onChange={setProfile} />
    </FormDialog>
  )
}

/** What differs from the stored user; null while the profile is not JSON. */
function changesOf(user: User, roles: string[], text: string): UserChanges | null {
  const profile = parseProfile(text)
  if (!profile) return null
  const differs = (a: unknown, b: unknown) => exactJsonText(a) !== exactJsonText(b)
  return {
    ...(differs(roles, user.roles) ? { roles } : {}),
    ...(differs(profile, user.profile) ? { profile } : {}),
  }
}

/** Sets a password for another user, who must change it at the next sign-in. */
export function SetPassword({ user, onClose }: { user: User; onClose: () => void }) {
  const [password, setPassword] = useState('')
  const what = `The new password of ${user.email} is not set yet.`
  const input = useUnsaved({ what, dirty: password !== '' })
  const change = useUserMutation(changeUser(user.userId))

  function submit() {
    change.mutate(
      { password },
      {
        onSuccess: () => {
          input.settle()
          toast.success(`${user.email} has a new password`)
          onClose()
        },
      },
    )
  }

  return (
    <FormDialog
      onClose={() => input.leave(onClose)}
      title={`Set a password for ${user.email}`}
      description="This ends their sessions. They must change the password at the next sign-in."
      submitLabel="Set password"
      attempt={change}
      fields={['password']}
      onSubmit={submit}
    >
      <FormField name="password" label="New password" hint="8 to 128 characters">
        <Input
          type="password"
          autoComplete="new-password"
          value={password}
          onValueChange={setPassword}
        />
      </FormField>
    </FormDialog>
  )
}
