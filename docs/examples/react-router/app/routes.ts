import { index, route, type RouteConfig } from '@react-router/dev/routes'

export default [
  index('routes/home.tsx'),
  route('members', 'routes/members.tsx'),
  route('auth/*', 'routes/auth.ts'),
] satisfies RouteConfig
