import networkx as nx
G = nx.karate_club_graph()
print(nx.shortest_path(G, 0, 33), round(nx.average_clustering(G), 6), nx.diameter(G))
print({k: round(v, 6) for k, v in list(nx.betweenness_centrality(G).items())[:5]})
print(sorted(map(sorted, nx.community.greedy_modularity_communities(G)))[0])
D = nx.gn_graph(30, seed=4); print(list(nx.topological_sort(D))[:10], nx.is_tree(D))
print(nx.maximum_flow_value(nx.DiGraph([(0,1,{'capacity':3}),(1,2,{'capacity':2}),(0,2,{'capacity':1})]),0,2))
print("\n".join(nx.generate_graphml(nx.path_graph(3))))
