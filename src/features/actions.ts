/** The routes of the optional features, which no feature of a site can have. */
export const optionalActions = ['email-change', 'email-change-confirm'] as const
