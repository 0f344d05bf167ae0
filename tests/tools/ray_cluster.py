"""Runs `build_on_ray.py` on a cluster of three nodes, one of which is killed during the build.

    ray_cluster.py SITE OUT PARTS LOG

LOG is the file in which a stand-in for convo-site says on which node it starts and ends. The node
is killed while it works.
"""
import sys
import threading
import time
from pathlib import Path

import build_on_ray
import ray
from ray.cluster_utils import Cluster

site, out, parts, log = sys.argv[1:]

SMALL = {"num_cpus": 1, "object_store_memory": 80 << 20}


def is_at_work(node):
    """Whether a command was started on a node and is not done yet, after others were done."""
    lines = Path(log).read_text().splitlines() if Path(log).exists() else []
    started = [line for line in lines if line.startswith(f"start {node} ")]
    ended = [line for line in lines if line.startswith(f"end {node} ")]
    return len(started) > len(ended) > 0


def kill(cluster, node):
    raylet = node.all_processes["raylet"][0].process.pid
    while not is_at_work(raylet):
        time.sleep(0.01)
    cluster.remove_node(node, allow_graceful=False)
    with open(log, "a") as file:
        print("killed", raylet, file=file)


def main():
    cluster = Cluster(
        initialize_head=True, head_node_args={**SMALL, "include_dashboard": False}
    )
    nodes = [cluster.add_node(**SMALL) for _ in range(2)]
    ray.init(address=cluster.address, log_to_driver=False, logging_level="ERROR")
    killer = threading.Thread(target=kill, args=(cluster, nodes[0]), daemon=True)
    killer.start()
    code = build_on_ray.build_site(site, out, int(parts))
    ray.shutdown()
    cluster.shutdown()
    return code


sys.exit(main())
