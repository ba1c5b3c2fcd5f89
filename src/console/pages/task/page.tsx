import './task.css';
import './steps.css';
import './timings.css';
import { Failure, Skeleton } from '../../components/states.tsx';
import { TaskBody } from './task-body.tsx';
import { useTask } from './use-task.ts';

export default function TaskPage({ taskId }: { taskId: string }) {
  return <OneTask key={taskId} taskId={taskId} />;
}

function OneTask({ taskId }: { taskId: string }) {
  const task = useTask(taskId);
  if (task.detail === null) return task.error === null ? <Skeleton /> : <Failure error={task.error} onRetry={task.reload} />;
  return <TaskBody task={task} detail={task.detail} />;
}
