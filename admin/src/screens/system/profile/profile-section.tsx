import { FactorList } from './factor-list.tsx';
import { OwnPassword } from './own-password.tsx';
import { SessionList } from './session-list.tsx';

/** One's own account: how one signs in, and where one is signed in. */
export function ProfileSection() {
  return (
    <>
      <OwnPassword />
      <FactorList />
      <SessionList />
    </>
  );
}
