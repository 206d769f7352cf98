'use client'
import { send } from './auth-api'
import { AuthForm, NEW_PASSWORD, PASSWORD } from './auth-form'

export function ChangePasswordForm() {
  return (
    <AuthForm
      fields={[
        { ...PASSWORD, name: 'currentPassword', label: 'Current password' },
        { ...NEW_PASSWORD, name: 'newPassword' },
      ]}
      button="Change password"
      submit={async ({ currentPassword = '', newPassword = '' }) => {
        const body = { currentPassword, newPassword }
        const refusal = await send('PUT', '/api/users/me/password', body)
        if (!refusal) window.location.assign('/')
        return refusal
      }}
    />
  )
}
