/** Other words for pages, by address: what people of other consoles would type. */
export const PAGE_WORDS: Record<string, string[]> = {
  '/': ['home', 'overview', 'start'],
  '/entities': ['tables', 'collections', 'data', 'models', 'content types'],
  '/images': ['media', 'files', 'assets', 'uploads', 'pictures'],
  '/trash': ['deleted', 'bin', 'restore', 'undo'],
  '/plugins': ['extensions', 'packages', 'install', 'zip'],
  '/plugins/history': ['installs', 'runs', 'log', 'what happened'],
  '/users': ['people', 'accounts', 'members', 'team'],
  '/roles': ['rights', 'permissions', 'access', 'policies'],
  '/api-keys': ['tokens', 'credentials', 'secrets'],
  '/api-docs': ['documentation', 'openapi', 'swagger', 'rest', 'curl'],
  '/mail': ['email', 'outbox', 'invitations'],
  '/audit': ['log', 'activity', 'who did what'],
  '/imports': ['uploads', 'load', 'csv', 'excel'],
  '/exports': ['downloads', 'csv', 'excel'],
  '/settings': ['configuration', 'environment'],
}

/** Other words for actions, by label. */
export const ACTION_WORDS = {
  install: ['upload', 'zip', 'add plugin', 'new plugin'],
  user: ['new user', 'add user', 'invite', 'add person', 'new account', 'member'],
  key: ['new key', 'token', 'credential', 'add key'],
  light: ['bright', 'day', 'appearance', 'mode'],
  dark: ['night', 'appearance', 'mode'],
}
